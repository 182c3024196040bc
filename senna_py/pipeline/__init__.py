"""The pipeline: reading text, tokenization, annotation and output.

Commands, the server, tables and `Tagger` all use it.
"""
