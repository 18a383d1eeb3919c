"""`holdfast demo`."""


def demo() -> None:
    """demo"""
