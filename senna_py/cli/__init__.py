"""The console commands, which parse options, call the package and print results."""
