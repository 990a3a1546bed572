"""The names of enumerators that stores, files and messages hold, pinned.

    enum_names.py ROOT

Reads every table `constexpr auto enum_names(E) {...}` of the sources (engine/core/names.hpp) and compares it with
PINNED below. A name that is stored must not change without a converter for what is stored; a new enum or name is
added here. Why there are tables: docs/decisions/enum-names.md. Ends with 1 and a line for each difference.
"""

import re
import sys
from pathlib import Path

FOLDERS = ["engine", "prompts", "llm_clients", "profiler", "benchmark_tasks"]
TABLE = re.compile(r"constexpr auto enum_names\((\w+)\) \{(.*?)\n\}", re.S)
ROW = re.compile(r'\{\s*(?:\w+::)+(\w+),\s*"([^"]*)"\s*\}')
NAMESPACE = re.compile(r"^namespace ridgeline(?:::([\w:]+))? \{", re.M)

PINNED = {
    "AnswerStatus":
        "kernel prose no_code diff_failed model_failed missing_recording budget_exhausted cancelled",
    "Bound": "memory compute latency",
    "CompileMode": "default reduce-overhead max-autotune max-autotune-no-cudagraphs",
    "DType": "float64 float32 float16 bfloat16 int64 int32 int16 int8 uint8 bool complex64 complex128",
    "Draw":
        "normal uniform constant sorted permutation probabilities positive_definite symmetric "
        "well_conditioned bernoulli reference",
    "EvaluationStatus": "evaluated budget_exhausted cancelled",
    "Examples": "none one few",
    "FallbackPolicy": "allow flag reject",
    "Form": "kernel module",
    "InputSet": "standard outlier edge",
    "Language": "cpp cuda triton torch",
    "OccupancyLimit": "warps blocks registers shared_memory",
    "Pattern":
        "not_written all_zero constant not_finite shifted transposed permuted tail head rows columns tile border "
        "scaled precision scattered",
    "Reason":
        "none compile_error build_timeout build_limits missing_entry_point forbidden_flag compiler_missing "
        "load_error crashed timed_out exited memory_limit sandbox_violation launch_error raised "
        "wrong_values wrong_count out_of_bounds_write input_modified nondeterministic not_quantized "
        "lower_precision falls_back wrong_when_timed timing_disputed implausible counters_refused "
        "judge_failed worker_lost task_rejected unsupported",
    "Role": "in out inout",
    "ScalarType": "int64 float64 bool",
    "Source": "analytic perf cupti measured",
    "Stage": "build call correctness timing profile",
    "Standing": "ok unchecked degenerate broken does_not_fit unsupported",
    "StateKind": "parameter buffer attribute",
    "Status": "not_reached passed failed unavailable",
    "campaign::RunEnd": "finished interrupted waiting paused",
    "cli::Score": "best last",
    "compare::CorrectnessRule": "faithful hardened",
    "compare::Ending":
        "correct no_answer compilation_error runtime_error correctness_issue cuda_error timeout "
        "error_during_performance excessive_speedup cheated other_error not_judged",
    "compare::Measure": "speedup solved",
    "compare::TaskResultKind": "won lost tied",
    "exporting::FileKind": "jsonl json parquet",
    "exporting::Format":
        "trl-sft trl-messages trl-dpo trl-kto trl-grpo openai-sft openai-dpo sharegpt sharegpt-dpo "
        "sharegpt-kto verl atif kbx kbx-predictions jsonl",
    "exporting::Pairs": "siblings transition",
    "exporting::Split": "train validation test",
    "exporting::SplitBy": "task category none",
    "exporting::TransitionKind":
        "build_fail_to_pass call_fail_to_pass correctness_fail_to_pass optimization neutral "
        "regression_correctness regression_performance",
    "exporting::Turns": "one all",
    "front_ends::Fit": "fits no_source other_form flags compilers_words own_files headers_first",
    "front_ends::Standing": "idle starting ready off",
    "judge::Clock": "wall cpu",
    "judge::Dispute": "none outside_window claim_undercuts",
    "judge::Estimator": "slope quotient",
    "llm::Fault": "none request endpoint account",
    "llm::HttpEndKind":
        "complete stopped cut_short connect_failed tls_failed connect_timeout first_byte_timeout stalled "
        "total_timeout not_http too_large",
    "llm::LlmStatus":
        "answered truncated refused bad_request context_exceeded empty unauthorized not_found rate_limited "
        "overloaded server_error timed_out connection_failed malformed missing_recording cancelled",
    "llm::MaxTokensField": "automatic max_tokens max_completion_tokens",
    "llm::PromptFormat": "plain chatml llama3 mistral",
    "llm::Provider": "openai_chat openai_completions anthropic gemini replay mailbox",
    "oracle::Arguments": "drawn given",
    "oracle::CallFault":
        "raises fixed same_result input_copy shape_varies not_finite random not_unique float64 argument result",
    "oracle::FailureKind": "task memory time died",
    "oracle::Precision": "float32 float64",
    "profiler::Stop": "go_on precise steady cap",
    "prompts::Severity": "error warning note",
    "protocol::Failure": "bad_request machine_cannot judge_failed",
    "sandbox::Ending":
        "exited signalled refused_syscall wall_limit cpu_limit memory_limit process_limit output_limit "
        "killed idle_limit",
    "sandbox::Isolation": "none standard strict",
    "store::BaselineKind": "eager compile",
    "store::EffectEventKind": "ended cancelled",
    "store::TrajectoryState": "pending running finished failed incomplete",
    "store::Part": "strategy settings models language prompts evaluation budget campaign",
    "store::Unit": "calls tokens usd evaluations wall_seconds gpu_seconds",
    "strategies::AnswerForm": "whole diff",
    "strategies::FeedbackSet": "g g_e g_e_p",
    "strategies::Knowledge": "none bm25",
    "strategies::SettingType": "integer real boolean text",
    "submissions::StageEnd": "passed empty no_entry failed timed_out killed not_run",
    "suites::Baseline": "libtorch eager torch_compile",
    "suites::kernelbenchx::Refusal":
        "no_entry quantization wrong_reference cannot_run random not_unique nothing_to_judge degenerate unsound "
        "does_not_fit",
    "verifier::Null": "zeros constant input_copy lower_precision unquantized other_draw",
}


def tables_in(text: str) -> dict[str, list[str]]:
    """The tables of one source: "room::Enum" (core's without a room) and its names in order."""
    room = NAMESPACE.search(text)
    before = f"{room[1]}::" if room and room[1] else ""
    tables = {before + enum: ROW.findall(rows) for enum, rows in TABLE.findall(text)}
    for enum, rows in tables.items():
        enumerators = {enumerator for enumerator, _ in rows}
        for enumerator, name in rows:
            if name != enumerator and name in enumerators:
                raise SystemExit(f"{enum}: {enumerator} is stored as '{name}', which is another one's word")
    return {enum: [name for _, name in rows] for enum, rows in tables.items()}


def tables_below(root: Path) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*.?pp")):
            text = re.sub(r"^\s*//.*$", "", path.read_text(encoding="utf-8"), flags=re.M)
            for enum, names in tables_in(text).items():
                if enum in found:
                    raise SystemExit(f"{path}: {enum} has a second table")
                found[enum] = names
    return found


def differences(found: dict[str, list[str]], pinned: dict[str, list[str]]) -> list[str]:
    lines = []
    for enum in sorted(found.keys() | pinned.keys()):
        if enum not in pinned:
            lines.append(f"{enum} is not pinned; add it: {' '.join(found[enum])}")
        elif enum not in found:
            lines.append(f"{enum} is pinned and has no table")
        elif found[enum] != pinned[enum]:
            lines.append(f"{enum} is pinned as {' '.join(pinned[enum])} and is now {' '.join(found[enum])}")
    return lines


def main() -> int:
    found = tables_below(Path(sys.argv[1]))
    wrong = differences(found, {enum: names.split() for enum, names in PINNED.items()})
    print("\n".join(wrong) if wrong else f"enum names: {len(found)} enums are as pinned")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
