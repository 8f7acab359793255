"""What every library is asked for: one place, so that all do the same amount of it. Lengths in pixels."""

SIGMA = 3.0
SHORT, LONG = 9, 31
RADIUS = 6
NOISE = 0.18
QUALITY = 15
SHRINK = 0.4
ANGLE = 12.0
BRIGHTER = 0.3
TEXT_HEIGHT = 20.0
