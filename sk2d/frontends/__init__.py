"""From an ELF file to the pseudo-C of its functions; each decompiler has a process of its own."""
