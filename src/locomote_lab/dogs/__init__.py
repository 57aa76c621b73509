"""How the simulated dog is taught its learned controller."""
