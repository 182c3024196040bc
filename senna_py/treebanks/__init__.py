"""Training of a whole model from a treebank of Universal Dependencies."""
