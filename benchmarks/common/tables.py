"""Tables of measurements as text."""

__all__ = ["print_table"]


def print_table(lines):
    """Print rows of cells as a Markdown table; the first row is the head."""
    widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
    head, *rows = lines
    for line in (head, ["-" * width for width in widths], *rows):
        cells = (cell.ljust(width) for cell, width in zip(line, widths, strict=True))
        print(f"| {' | '.join(cells)} |")
