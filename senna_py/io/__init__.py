"""Input, output, settings and progress, for all commands."""
