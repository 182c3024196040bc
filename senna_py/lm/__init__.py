"""Language models, and the word embeddings and classes that come of unlabelled text."""
