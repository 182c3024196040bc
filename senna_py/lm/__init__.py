"""Word embeddings from unlabelled text: corpora, the ranking language model, neighbours."""
