"""Labels and their meaning: tasks, tag schemes, levels of parse trees."""
