"""Inverse kinematics of chains and trees with joint limits."""
