"""The pipeline: reading text, tokenization, annotation and output.

Two modules combine these steps. `run.py` processes files in batches of lines, and
returns the output of a format; the commands, the corpus command and tables use it.
`texts.py` processes texts in memory, and returns documents and sentences; `Tagger`,
spaCy and the server use it.
"""
