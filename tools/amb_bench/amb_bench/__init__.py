"""Benches: real data sets, metrics, and the runners behind `amb bench`."""

__all__: list[str] = []
