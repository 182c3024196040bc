"""Encoders of sentences, trained to predict hidden words from both sides."""
