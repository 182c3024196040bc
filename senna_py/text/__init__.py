"""Tokenizers, sentence splitters, vocabularies, and rules for the words of a text."""
