"""What ``locomote demo`` shows."""
