"""Model files: native ones, SENNA's directories, checkpoints, word vectors."""
