"""Loads exported files with the real `datasets` library and checks that trainers would find what they look for.

    python3 tests/export_formats.py FORMAT=FILE...      e.g. trl-sft=out/train.jsonl kbx=out/kbx.jsonl

Needs `datasets` (python3 -m venv ~/.cache/ridgeline/export-venv && ~/.cache/ridgeline/export-venv/bin/pip install
datasets). Exits with 0 if every file loads, has rows and has its format's columns; says what is wrong otherwise.
"""

import json
import sys
import tempfile

from datasets import load_dataset

COLUMNS = {
    "trl-sft": {"prompt", "completion", "task", "kind", "split", "ratio", "ratio_low", "ratio_high"},
    "trl-dpo": {"prompt", "chosen", "rejected", "task", "kind", "split"},
    "kbx": {"task_id", "transition", "from_round", "to_round", "kind", "before", "after", "before_code", "after_code",
            "before_code_present", "after_code_present", "unified_diff", "diff_stats", "llm_fields", "notes"},
    "jsonl": {"schema", "task", "ask", "candidate", "verdict", "transition", "split"},
}
KBX_SIDE = {"call_ok", "exe_ok", "perf_ok", "dtype", "runtime_ms", "gbs", "tflops", "speedup", "maintainability",
            "error"}


def require(condition, message):
    if not condition:
        raise SystemExit(f"export_formats: {message}")


def check_messages(row, column, last_role):
    messages = row[column]
    require(messages and all(set(m) == {"role", "content"} and m["content"] for m in messages),
            f"{column} is not a list of messages: {messages!r}")
    require(messages[-1]["role"] == last_role, f"{column} ends with {messages[-1]['role']}, not {last_role}")


def check(form, path, cache):
    require(form in COLUMNS, f"'{form}' is none of {', '.join(COLUMNS)}")
    rows = load_dataset("json", data_files=path, split="train", cache_dir=cache)
    with open(path, encoding="utf-8") as file:
        lines = [json.loads(line) for line in file]
    require(len(rows) == len(lines) > 0, f"{path}: {len(rows)} rows of {len(lines)} lines")
    missing = COLUMNS[form] - set(rows.column_names)
    require(not missing, f"{path} lacks the columns {sorted(missing)}")
    for row in rows:
        if form == "trl-sft":
            check_messages(row, "prompt", "user")
            check_messages(row, "completion", "assistant")
        elif form == "trl-dpo":
            check_messages(row, "prompt", "user")
            check_messages(row, "chosen", "assistant")
            check_messages(row, "rejected", "assistant")
            require(row["chosen"] != row["rejected"], f"{path}: chosen equals rejected")
        elif form == "kbx":
            require(KBX_SIDE <= set(row["before"]) and KBX_SIDE <= set(row["after"]), f"{path}: a side lacks keys")
            require(row["unified_diff"].startswith("--- "), f"{path}: no diff")
    tasks = {}
    for line in lines:
        tasks.setdefault(line["task"], set()).add(line["split"])
    require(all(len(splits) == 1 for splits in tasks.values()), f"{path}: a task is in two splits")
    print(f"{form}: {len(rows)} rows, {len(tasks)} tasks, {len(rows.column_names)} columns")


def main(arguments):
    require(arguments and all("=" in one for one in arguments), __doc__)
    with tempfile.TemporaryDirectory() as cache:
        for one in arguments:
            check(*one.split("=", 1), cache)


if __name__ == "__main__":
    main(sys.argv[1:])
