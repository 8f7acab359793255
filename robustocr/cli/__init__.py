"""The command line: thin shells over the library, one file per command."""
