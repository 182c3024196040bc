"""Score predictions: tags, chunks, roles, trees, dependencies and raw text."""
