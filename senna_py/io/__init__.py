"""Input, output and progress, for all commands."""
