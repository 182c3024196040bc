"""Output formats. Each has a module with its Printer."""
