"""Readers of corpora: columns, CoNLL-U, props, trees, records and raw text."""
