"""Parts of all training: runs, optimizers, checkpoints, logs and plots."""
