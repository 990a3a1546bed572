#!/usr/bin/env python3
"""Matrix, soak, schedules and first success, one after another: whole, or in the short form of ctest.

everything.py --program build/bin/ridgeline [--short] [--jobs 2]
"""

import argparse
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
WHOLE = (
    ("matrix.py",),
    ("soak.py", "--minutes", "20"),
    ("schedules.py", "--count", "50"),
    ("first_success.py", "--kills", "12"),
)
SHORT = (
    ("matrix.py", "--sample", "90"),
    ("soak.py", "--minutes", "0.25"),
    ("schedules.py", "--count", "3"),
    ("first_success.py",),
)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--program", type=Path, default=Path("build/bin/ridgeline"))
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    arguments = parser.parse_args()
    failed = []
    for name, *options in SHORT if arguments.short else WHOLE:
        words = [
            sys.executable,
            "-B",
            str(HERE / name),
            "--program",
            str(arguments.program.resolve()),
            *options,
        ]
        if name not in ("soak.py", "first_success.py"):
            words += ["--jobs", str(arguments.jobs)]
        print(f"==> {name} {' '.join(options)}", flush=True)
        if subprocess.run(words).returncode != 0:
            failed.append(name)
    print("all passed" if not failed else f"failed: {', '.join(failed)}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
