"""The console commands: they parse options, call the package and print."""
