"""Text for vectors, clusters and language models: one reader, from files to indices of
words.

Text is either tokenized, a sentence per line (`blocks`), or raw, a paragraph per line
(`raw`). Both become numbered words, which are counted (`counts`) and looked up in a
list of words: at once (`streams`), or on disk as a `corpus`, which is read again. What
stands between sentences is up to the reader: `<s>` and `</s>`, PADDING, or nothing.
"""
