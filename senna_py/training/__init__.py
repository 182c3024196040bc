"""The training loop of all models, with optimizers, checkpoints, logs and plots."""
