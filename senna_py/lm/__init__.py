"""Language models, word vectors and word classes, learned from unlabeled text."""
