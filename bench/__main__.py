"""Runs the parts that are named, or all of them, one after the other."""

from __future__ import annotations

import sys
from importlib import import_module

# Each is a module here with `main()`, which prints its table and returns 0 where its bars are met.
PARTS = ("startup",)


def main() -> int:
    failed = []
    for part in sys.argv[1:] or PARTS:
        print(f"\n# {part}\n", flush=True)
        if import_module(f"bench.{part}").main() != 0:
            failed.append(part)
    if failed:
        print(f"\nbars not met in: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
