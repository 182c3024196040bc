"""Input, output, progress and pictures, for all commands."""
