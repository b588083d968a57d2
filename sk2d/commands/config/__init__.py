"""From the words of a command line to a checked config: read, name, type, range, combination."""
