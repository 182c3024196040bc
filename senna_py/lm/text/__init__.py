"""Reading of text as word indices, for word vectors, clusters and language models.

Text is either tokenized, with one sentence per line (`blocks`), or raw, with one
paragraph per line (`raw`). Its distinct words are numbered and counted (`counts`), and
then mapped to the indices of a word list, either in memory (`streams`) or on disk
(`corpus`). Depending on the reader, sentences are delimited by `<s>` and `</s>`, by
PADDING, or not at all.
"""
