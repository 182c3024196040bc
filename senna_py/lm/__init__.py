"""Language models, word embeddings and word classes from unlabelled text."""
