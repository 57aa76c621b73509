"""Finding a way among obstacles and others: neighbours, avoidance, steering, path-finding."""
