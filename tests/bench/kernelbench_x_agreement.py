"""KernelBench-X's own scripts beside `ridgeline evaluate --out`, over the codes of its corpus.

    kernelbench_x_agreement.py RIDGELINE CLONE OUT [--device cuda|cpu] [--most N] [--workers N] [--jobs N]

CLONE is a clone of BonnieW05/KernelBenchX with data/kbx_corpus. Of each task one code is taken, the first in the
corpus, then for the next round the next that differs; a round is scored as one file by both. Prints the verdicts of
call and execution of both, each difference with its reasons, and what both took. Without --workers its scripts run as
for one GPU (one process at a time), else so many side by side. RIDGELINE_PYTHON names the Python of both.

With --device cpu its scripts see 'cuda' as the CPU, by the modules that ridgeline uses for that, and codes that take
longer than a minute in a stage are left out of its scripts, which have no time-out. What is written in OUT holds its
texts: keep it out of a repository.
"""

import argparse
import collections
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

SEPARATOR = "#" * 146
ROOT = Path(__file__).resolve().parents[2]
SITE = """import sys
if sys.argv and sys.argv[0] != "-c":
    import interpreted, on_cpu
    interpreted.prepare()
    kept = on_cpu.mapped()
    kept.__enter__()
"""


def codes_by_round(clone):
    """Lists of {"predict", "file"}: in each a task stands once."""
    listed = {entry["file"] for entry in json.loads((clone / "data" / "kernelbenchx_v1.json").read_text())}
    seen, rounds = collections.defaultdict(list), []
    for line in (clone / "data" / "kbx_corpus" / "all_records.jsonl").read_text().splitlines():
        record = json.loads(line)
        for side in ("before_code", "after_code"):
            task, code = record["task_id"], record[side].split(SEPARATOR)[0].strip()
            if task not in listed or code in seen[task]:
                continue
            seen[task].append(code)
            if len(rounds) < len(seen[task]):
                rounds.append([])
            rounds[len(seen[task]) - 1].append({"predict": code, "file": task})
    return rounds


def write_lines(path, rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def timed(command, **more):
    begin = time.monotonic()
    with open(more.pop("log"), "w") as log:
        status = subprocess.run(command, stdout=log, stderr=subprocess.STDOUT, **more).returncode
    return time.monotonic() - begin, status


def run_ours(arguments, predictions, folder):
    command = [arguments.ridgeline, "evaluate", "--suite", f"kernelbenchx:{arguments.clone}", str(predictions), "--out",
               str(folder), "--device", arguments.device, "--no-time"]
    command += ["--jobs", str(arguments.jobs)] if arguments.jobs else []
    command += ["--stage-timeout", "60"] if arguments.device == "cpu" else []
    seconds, status = timed(command, log=f"{folder}.log")
    if status:
        raise SystemExit(f"ridgeline ended with {status}: {folder}.log says why")
    return seconds, json.loads((folder / "metrics.json").read_text())


def run_theirs(arguments, predictions, folder):
    python = os.environ.get("RIDGELINE_PYTHON", "python3")
    environment = dict(os.environ, PYTHONPATH=str(arguments.clone / "data"))
    if arguments.device == "cpu":
        site = arguments.out / "site"
        site.mkdir(exist_ok=True)
        (site / "sitecustomize.py").write_text(SITE)
        for module in ("engine/python/shared/interpreted.py", "engine/submissions/ridgeline_submissions/on_cpu.py"):
            shutil.copy(ROOT / module, site)
        environment.update(PYTHONPATH=f"{site}:{arguments.clone / 'data'}", TRITON_INTERPRET="1")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    gpus = ",".join(["0"] * arguments.workers)
    call, execution = folder / "call.jsonl", folder / "execution.jsonl"
    more = {"cwd": arguments.clone, "env": environment}
    first, _ = timed([python, "EVAL/0_call_acc.py", "--source", str(predictions), "--target", str(folder / "call"),
                      "--GPUs", gpus, "--result_jsonl", str(call)], log=folder / "call.log", **more)
    second, _ = timed([python, "EVAL/1_exe_acc.py", "--folder", str(folder / "call"), "--GPUs", gpus, "--result_jsonl",
                       str(execution)], log=folder / "execution.log", **more)
    read = [{Path(row["file"]).name: row for row in map(json.loads, path.read_text().splitlines())}
            if path.exists() else {} for path in (call, execution)]
    return first, second, read


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    for name in ("ridgeline", "clone", "out"):
        parser.add_argument(name)
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    for name, default in (("--most", 1000), ("--workers", 1), ("--jobs", 0), ("--rounds", 2)):
        parser.add_argument(name, type=int, default=default)
    arguments = parser.parse_args()
    arguments.clone, arguments.out = Path(arguments.clone).resolve(), Path(arguments.out).resolve()
    arguments.out.mkdir(parents=True, exist_ok=True)
    counts, left, differ, times = collections.Counter(), arguments.most, 0, [0.0, 0.0, 0.0]
    for number, rows in enumerate(codes_by_round(arguments.clone)[:arguments.rounds]):
        rows = rows[:left]
        left -= len(rows)
        if not rows:
            break
        folder = arguments.out / f"ours-{number}"
        shutil.rmtree(folder, ignore_errors=True)
        predictions = write_lines(arguments.out / f"predictions-{number}.jsonl", rows)
        ours, metrics = run_ours(arguments, predictions, folder)
        late = {row["file"] for row in rows
                if "timed_out" in (metrics[row["file"]]["ridgeline"][stage] for stage in ("call", "execution"))}
        if late:
            print("left out, since a stage timed out:", *sorted(late))
            rows = [row for row in rows if row["file"] not in late]
            predictions = write_lines(arguments.out / f"predictions-{number}.jsonl", rows)
            shutil.rmtree(folder)
            ours, metrics = run_ours(arguments, predictions, folder)
        first, second, (call, execution) = run_theirs(arguments, predictions, arguments.out / f"theirs-{number}")
        times = [sum(pair) for pair in zip(times, (ours, first, second))]
        for row in rows:
            entry, name = metrics[row["file"]], Path(row["file"]).name
            mine = (entry["call_ok"], entry["exe_ok"])
            its = (call.get(name, {}).get("ok", False), execution.get(name, {}).get("ok", False))
            counts[mine, its] += 1
            if mine == its:
                continue
            differ += 1
            print(f"{row['file']}: ours {mine}, its scripts {its}; notes {entry['ridgeline']['notes']}; ours says "
                  f"{entry['error'][-300:]!r}; its scripts {call.get(name, {}).get('stderr', '')[-300:]!r} "
                  f"{execution.get(name, {}).get('stderr', '')[-300:]!r}")
    print("(call, execution) of ours, of its scripts: how many")
    for pair, count in sorted(counts.items(), reverse=True):
        print(*pair, count)
    print(f"{sum(counts.values())} codes, {differ} differ; ours {times[0]:.1f} s; its scripts {times[1] + times[2]:.1f} s "
          f"(call {times[1]:.1f}, execution {times[2]:.1f}), {arguments.workers} side by side")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
