"""What all training shares: runs, optimizers, checkpoints, logs and plots."""
