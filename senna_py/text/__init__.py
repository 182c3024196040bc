"""From bytes to token spans and feature indices."""
