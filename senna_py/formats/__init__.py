"""Output formats, a file each."""
