"""Recovery after a crash: setting aside of damaged bytes, the inventory of files, and repair."""
