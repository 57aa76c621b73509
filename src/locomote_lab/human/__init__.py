"""How well the model of walking people predicts, and how their feet and jumps do."""
