"""Measuring: real data sets, metrics, and the runners behind `amb bench`."""
