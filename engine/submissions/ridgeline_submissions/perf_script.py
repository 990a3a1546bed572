"""A task's performance script out of the clone's metrics/golden_metrics, told to import the candidate."""

import json
import math
import os

SEPARATOR = "#" * 146
FIRST_PATH = "sys.path.append(os.path.abspath(os.path.join(os.path.dirname(__file__), '..')))\n"


def _changed(line, stem, folder, clone):
    """The line or lines that stand in its place."""
    indent = line[:len(line) - len(line.lstrip())]
    if "from kernelbenchx." in line and " import " in line:
        parts = line.strip().split(" import ")
        if len(parts) == 2:
            line = f"{indent}from {stem} import {parts[1].strip()}\n"
    elif line == FIRST_PATH:
        metrics = os.path.join(clone, "metrics")
        return f"sys.path.insert(0, {folder!r})\nsys.path.append({metrics!r})\n"
    # Its scripts fix how long is measured, where the template would look for it.
    line = line.replace("op_perf.get_do_bench_config()", "op_perf.get_do_bench_config(warmup=100, rep=1000)")
    if line.lstrip().startswith("folder_path ="):
        return f"{indent}folder_path = {folder!r}\n"
    return line


def write(request, clone, folder):
    """Returns the script's path."""
    stem = request["stem"]
    with open(os.path.join(folder, stem + ".py"), "w", encoding="utf-8") as file:
        file.write(request["candidate"].split(SEPARATOR)[0].strip())
    with open(request["template"], encoding="utf-8") as file:
        lines = [_changed(line, stem, folder, clone) for line in file]
    path = os.path.join(folder, stem + "_perf.py")
    with open(path, "w", encoding="utf-8") as file:
        file.writelines(lines)
    return path


def _finite(value):
    return value if isinstance(value, (int, float)) and not isinstance(value, bool) and math.isfinite(value) else None


def results(folder, stem):
    """What the script left: its rows, or null where it left none."""
    try:
        with open(os.path.join(folder, stem + ".json"), encoding="utf-8") as file:
            rows = json.load(file)
    except (OSError, ValueError):
        return {"sizes": None}
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        return {"sizes": None}
    return {"sizes": [{"input_size": json.loads(json.dumps(row.get("input_size"), default=str)),
                       **{key: _finite(row.get(key)) for key in ("ms", "GB/s", "TFLOPS")}} for row in rows]}
