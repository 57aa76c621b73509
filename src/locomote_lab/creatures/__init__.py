"""Test beds and measures of creatures, and of recorded animals beside them."""
