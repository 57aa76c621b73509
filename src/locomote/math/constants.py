"""Constants of nature."""

GRAVITY = 9.81  # m/s^2
