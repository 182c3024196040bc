"""Answers: layers of labeled spans, and the documents that they belong to."""
