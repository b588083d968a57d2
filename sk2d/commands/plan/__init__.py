"""`plan`: what a config would do here or on another machine, before anything is loaded."""
