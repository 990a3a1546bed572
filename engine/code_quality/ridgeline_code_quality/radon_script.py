"""Reads one JSON text a line, writes one JSON object a line: radon's figures, or {} where radon cannot read a text.
Stands behind quality.py in one program. Ends with status 3 without radon."""

import json
import sys


def main():
    try:
        import radon
    except ImportError:
        sys.exit(3)
    print(json.dumps({"radon": getattr(radon, "__version__", "?")}))
    for line in sys.stdin:
        try:
            found = figures(json.loads(line))  # noqa: F821
        except Exception:  # a text that is no Python ends radon in many ways
            found = {}
        print(json.dumps(found))


main()
