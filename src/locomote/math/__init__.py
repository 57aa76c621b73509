"""Compiled basics that every room may use: vectors, quaternions, forward kinematics, two-bone IK."""
