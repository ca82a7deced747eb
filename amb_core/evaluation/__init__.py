"""Measuring: real data sets, metrics, and the runners behind the benches."""

__all__: list[str] = []
