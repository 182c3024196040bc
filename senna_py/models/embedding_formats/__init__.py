"""The file formats of word vectors."""
