"""Scores of predictions: chunks as conlleval, tags of tokens, roles as srl-eval."""
