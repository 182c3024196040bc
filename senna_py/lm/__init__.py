"""Language models, word embeddings and word classes from unlabeled text."""
