"""Learning from annotated texts: the networks of a trained model learn more spans."""
