"""Recovery after a crash: quarantine of damaged bytes, the inventory of files, and repair."""
