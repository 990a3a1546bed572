"""Exports a store in every format and loads it with the reader that its trainer uses.

    python3 tests/export_formats.py RIDGELINE STORE

RIDGELINE is the program. Needs `datasets`, the pandas and pyarrow that come with it, and Harbor's models of
trajectories; `./dev exports` installs them. Each format is exported to a folder of JSON lines, to one of parquet, and to single files. Checked are: the splits and their rows, that
all three have the same rows and the types that the card says, that no column of a trainer's format is null, and what
the trainer's own documents ask of a row. Exits with 0 if all of that holds; says what does not otherwise.
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

import pyarrow.json
import pyarrow.parquet
from datasets import Features, load_dataset
from harbor.models.trajectories.trajectory import Trajectory

ANALYSIS = {"atif", "kbx", "jsonl"}
PAIRS = {"trl-dpo", "openai-dpo", "sharegpt-dpo"}
MANY_TURNS = {"trl-messages", "openai-sft", "sharegpt"}
KBX = {"task_id", "transition", "from_round", "to_round", "kind", "before", "after", "before_code", "after_code",
       "before_code_present", "after_code_present", "unified_diff", "diff_stats", "llm_fields", "notes"}
KBX_SIDE = {"call_ok", "exe_ok", "perf_ok", "dtype", "runtime_ms", "gbs", "tflops", "speedup", "maintainability",
            "error"}


def require(condition, message):
    if not condition:
        raise SystemExit(f"export_formats: {message}")


def is_conversation(messages, last_role):
    """What TRL (is_conversational) and OpenAI ask of a list of messages."""
    roles = [message["role"] for message in messages]
    return (roles and roles[-1] == last_role and set(roles) <= {"system", "user", "assistant"}
            and "system" not in roles[1:] and all(set(m) == {"role", "content"} and m["content"] for m in messages))


def check_trl(form, row):
    if form == "trl-messages":
        return is_conversation(row["messages"], "assistant") and len(row["messages"]) >= 2
    if not is_conversation(row["prompt"], "user"):
        return False
    if form == "trl-grpo":
        return "completion" not in row
    if form == "trl-dpo":
        return (is_conversation(row["chosen"], "assistant") and is_conversation(row["rejected"], "assistant")
                and row["chosen"] != row["rejected"])
    return is_conversation(row["completion"], "assistant") and (form != "trl-kto" or isinstance(row["label"], bool))


def check_openai(form, row):
    """platform.openai.com/docs/guides/fine-tuning: these keys and no others."""
    if form == "openai-sft":
        return set(row) == {"messages"} and is_conversation(row["messages"], "assistant")
    return (set(row) == {"input", "preferred_output", "non_preferred_output"} and set(row["input"]) == {"messages"}
            and is_conversation(row["input"]["messages"], "user")
            and all(len(row[key]) == 1 and is_conversation(row[key], "assistant")
                    for key in ("preferred_output", "non_preferred_output")))


def check_sharegpt(form, row):
    """hiyouga/LLaMA-Factory, SharegptDatasetConverter: people and models take turns, a pair's prompt ends with one."""
    turns = row["conversations"]
    takes_turns = all(turn["from"] == ("human", "gpt")[i % 2] and turn["value"] for i, turn in enumerate(turns))
    if form == "sharegpt-dpo":
        return (takes_turns and len(turns) % 2 == 1
                and all(row[key]["from"] == "gpt" and row[key]["value"] for key in ("chosen", "rejected")))
    return takes_turns and len(turns) % 2 == 0 and (form != "sharegpt-kto" or isinstance(row["kto_tag"], bool))


def check_verl(_, row):
    """volcengine/verl, RLHFDataset and its reward managers."""
    extra = row["extra_info"]
    answers = len(extra["answers"])
    return (isinstance(row["data_source"], str) and is_conversation(row["prompt"], "user")
            and row["reward_model"]["style"] == "rule" and row["reward_model"]["ground_truth"] == extra["task"]
            and answers > 0 and all(len(extra[key]) == answers for key in ("rewards", "outcomes", "speedups")))


def check_atif(_, row):
    """Harbor's own models: unknown keys, keys that only an agent may have, and numbers of steps are errors there."""
    trajectory = Trajectory.model_validate(row)
    return trajectory.steps[-1].source == "agent" and trajectory.final_metrics.total_steps == len(trajectory.steps)


def check_analysis(form, row):
    if form == "jsonl":
        return row["schema"] == "ridgeline.attempt/1" and row["judged"] is not None
    if row["task_id"].endswith(".py") and set(row) != KBX:  # --strict
        return False
    return (KBX <= set(row) and KBX_SIDE <= set(row["before"]) and KBX_SIDE <= set(row["after"])
            and row["unified_diff"].startswith("--- "))


CHECKS = {"trl": check_trl, "openai": check_openai, "sharegpt": check_sharegpt, "verl": check_verl,
          "atif": check_atif, "kbx": check_analysis, "jsonl": check_analysis}


def no_column_is_null(kind):
    """Whether an Arrow type, inferred from lines alone, has no part without a type."""
    if pyarrow.types.is_null(kind):
        return False
    if pyarrow.types.is_struct(kind):
        return all(no_column_is_null(field.type) for field in kind)
    return not pyarrow.types.is_list(kind) or no_column_is_null(kind.value_type)


def sorted_fields(kind):
    """The Arrow type with the fields of objects in the order of their names."""
    if pyarrow.types.is_struct(kind):
        return pyarrow.struct(sorted(((f.name, sorted_fields(f.type)) for f in kind), key=lambda one: one[0]))
    return pyarrow.list_(sorted_fields(kind.value_type)) if pyarrow.types.is_list(kind) else kind


class Exports:
    """What the program exports from one store, in a folder of its own."""

    def __init__(self, program, store, folder):
        self.program, self.store, self.folder = program, store, Path(folder)

    def run(self, form, name, *more):
        out = self.folder / name
        done = subprocess.run([self.program, "export", self.store, "--format", form, "--out", str(out), "--json", *more],
                              stdout=subprocess.PIPE, text=True, env=os.environ | {"RIDGELINE_PYTHON": sys.executable})
        require(done.returncode == 0, f"{form} {' '.join(more)}: the export ended with {done.returncode}")
        return str(out), json.loads(done.stdout)

    def load(self, *arguments, **named):
        return load_dataset(*arguments, **named, cache_dir=str(self.folder / "cache"))

    def check(self, form, *more):
        label = "-".join((form, *more)).replace("--", "")
        folder, report = self.run(form, label, *more)
        data = self.load(folder)
        require({name: len(rows) for name, rows in data.items()} == {k: v for k, v in report["by_split"].items() if v},
                f"{label}: load_dataset gives {data}, the report says {report['by_split']}")
        self.check_rows(form, label, data)
        whole, _ = self.run(form, label + ".jsonl", "--splits", "none", *more)
        array, _ = self.run(form, label + ".json", "--splits", "none", *more)
        self.check_files(form, label, whole, array, data)
        columns, _ = self.run(form, label + "-parquet", "--files", "parquet", *more)
        again = self.load(columns)
        for name, rows in data.items():
            schema = pyarrow.parquet.read_schema(Path(columns) / f"{name}.parquet")
            told = rows.features.arrow_schema
            require(set(schema.names) == set(told.names)
                    and all(sorted_fields(schema.field(one).type) == sorted_fields(told.field(one).type)
                            for one in schema.names), f"{label}: parquet has other types than the card")
            require(again[name].to_list() == rows.to_list(), f"{label}: parquet has other rows")
        print(f"{label}: {report['lines']} rows in {', '.join(data)}; {len(next(iter(data.values())).features)} columns")

    def check_rows(self, form, label, data):
        tasks = {}
        for name, rows in data.items():
            for row in rows:
                require(CHECKS[form.split("-")[0]](form, row), f"{label}: not what the trainer wants: {row}")
                task = row.get("task") or row.get("extra_info", row.get("extra", {})).get("task")
                tasks.setdefault(task, set()).add(name)
        require(None in tasks or all(len(splits) == 1 for splits in tasks.values()), f"{label}: a task is in two splits")

    def check_files(self, form, label, whole, array, data):
        lines = [json.loads(line) for line in Path(whole).read_text(encoding="utf-8").splitlines()]
        require(json.loads(Path(array).read_text(encoding="utf-8")) == lines, f"{label}: .json is not .jsonl")
        rows = sum(len(one) for one in data.values())
        for path in (whole, array):
            require(len(self.load("json", data_files=path, split="train")) == rows, f"{path} has other rows")
        if form in ANALYSIS:
            return
        inferred = pyarrow.json.read_json(whole, pyarrow.json.ReadOptions(block_size=1 << 26)).schema
        told = Features(next(iter(data.values())).features).arrow_schema
        require(all(no_column_is_null(field.type) for field in inferred), f"{label}: a column is null: {inferred}")
        require(all(sorted_fields(inferred.field(name).type) == sorted_fields(told.field(name).type)
                    for name in {*inferred.names, *told.names}), f"{label}: {inferred} is not what the card says")
        if form.startswith("sharegpt"):
            self.check_dataset_info(label, Path(whole).with_suffix(""), data)

    def check_dataset_info(self, label, folder, data):
        """As LLaMA-Factory's get_dataset_list reads it: a file beside it, and columns that are there."""
        info = json.loads((folder / "dataset_info.json").read_text())
        require(set(info) == {f"ridgeline_{name}" for name in data}, f"{label}: dataset_info.json names {set(info)}")
        for entry in info.values():
            require(entry["formatting"] == "sharegpt" and (folder / entry["file_name"]).exists(), f"{label}: {entry}")
            columns = self.load("json", data_files=str(folder / entry["file_name"]), split="train").column_names
            require(set(entry["columns"].values()) <= set(columns), f"{label}: {entry['columns']} are not {columns}")
            require(bool(entry.get("ranking")) == label.startswith("sharegpt-dpo"), f"{label}: {entry}")


def formats(program):
    """All that the program offers, by its own help."""
    text = subprocess.run([program, "export", "--help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    return re.search(r"--format TEXT REQUIRED +(.*)", text)[1].split(", ")


def main(program, store):
    with tempfile.TemporaryDirectory() as folder:
        exports = Exports(program, store, folder)
        for form in formats(program):
            if form == "kbx-predictions":  # both stores hold C++, of which none is a submission
                continue
            exports.check(form)
            if form in PAIRS:
                exports.check(form, "--pairs", "transition")
            if form == "kbx":
                exports.check(form, "--strict")
            if form in MANY_TURNS:
                exports.check(form, "--turns", "all")


if __name__ == "__main__":
    require(len(sys.argv) == 3, __doc__)
    main(*sys.argv[1:])
