"""The pipeline: reading text, tokenization, annotation and output.

There are two routes over the same steps. Files take the one of `run.py`, in batches of
lines that become the output of a format; the commands, the corpus command and tables
use it. Texts in memory take the one of `texts.py`, which returns documents and
sentences; `Tagger`, spaCy and the server use it.
"""
