"""What all ways in which a try goes wrong have in common."""

DEADLINE_S = 20


class Missed(Exception):
    """The run was over before anything could be done to it."""


class Skipped(Exception):
    """Cannot be done on this machine."""
