"""Text for vectors, clusters and language models, from files to indices of words.

Text is either tokenized, a sentence per line (`blocks`), or raw, a paragraph per line
(`raw`). Both become numbered words, which are counted (`counts`) and looked up in a
word list: at once (`streams`), or on disk as a `corpus` that can be read again. The
reader decides what stands between sentences: `<s>` and `</s>`, PADDING, or nothing.
"""
