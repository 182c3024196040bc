"""What labels mean: tasks, tag schemes, levels of parse trees."""
