"""A worker that says its verdicts at once: for campaigns whose subject is the model's end.

Started by the engine as `worker.launcher: python3 fake_worker.py`; it speaks docs/protocol.md over stdio.
The verdict of a candidate is a function of its hash alone, so two runs of a campaign see the same.
"""

import json
import struct
import sys

STAGES = ("build", "call", "correctness", "timing", "profile")


def read_exactly(size):
    data = sys.stdin.buffer.read(size)
    return data if len(data) == size else None


def read_frame():
    head = read_exactly(4)
    body = read_exactly(struct.unpack("<I", head)[0]) if head else None
    return json.loads(body) if body else None


def write_frame(message):
    body = json.dumps({"protocol": 1, **message}).encode()
    sys.stdout.buffer.write(struct.pack("<I", len(body)) + body)
    sys.stdout.buffer.flush()


def duration(median):
    return {
        "median": median,
        "low": median * 0.99,
        "high": median * 1.01,
        "samples": [median] * 3,
        "converged": True,
    }


def verdict(task, candidate):
    """Of four candidates one does not compile and one is wrong; the others differ in speed."""
    digest = int(candidate["hash"][:8], 16)
    stages = {
        name: {"status": "not_reached", "reason": "none", "detail": "", "seconds": 0.0} for name in STAGES
    }

    def set_stage(name, status, reason="none", detail=""):
        stages[name] = {"status": status, "reason": reason, "detail": detail, "seconds": 0.001}

    out = {
        "task": task["hash"],
        "candidate": candidate["hash"],
        "stages": stages,
        "device": "a fault server's CPU",
        "isolation": {"level": "strict", "details": "none needed: nothing runs"},
    }
    if digest % 4 == 0:
        set_stage("build", "failed", "compile_error", f"error {digest % 97} of the compiler")
        out["build_log"] = f"kernel.cpp:3:5: error: 'x{digest % 97}' was not declared in this scope\n"
        return out
    set_stage("build", "passed")
    set_stage("call", "passed")
    if digest % 4 == 1:
        set_stage("correctness", "failed", "wrong_values", f"{digest % 1000} of 1000 elements differ")
        return out
    set_stage("correctness", "passed")
    set_stage("timing", "passed")
    speedup = 0.5 + (digest % 1000) / 500
    case = {
        "case_name": "typical",
        "cold": duration(1e-3 / speedup),
        "hot": duration(1e-3 / speedup),
        "baseline_cold": duration(1e-3),
        "baseline_drift": 1.0,
        "claimed": 0.0,
        "cpu_seconds": 1e-3,
        "slots_verified": 3,
        "speedup": speedup,
        "speedup_low": speedup * 0.98,
        "speedup_high": speedup * 1.02,
    }
    out["timing"] = {
        "cases": [case],
        "speedup": speedup,
        "speedup_low": speedup * 0.98,
        "speedup_high": speedup * 1.02,
        "baseline": "a fixed figure",
    }
    out["faithful_correct"] = True
    return out


def main():
    write_frame(
        {
            "type": "hello",
            "ridgeline": "0",
            "host": "fault-harness",
            "backends": ["cpu"],
            "languages": ["cpp"],
            "devices": [{"name": "a fault server's CPU", "backend": "cpu", "index": 0, "memory_bytes": 1e9}],
            "toolchains": [],
            "torch": "",
            "window": 64,
            "isolation": {"level": "strict", "details": "none needed: nothing runs", "missing": []},
            "counters": {"readable": False, "why_not": "nothing runs"},
            "ceilings": [],
            "shortfalls": [],
        }
    )
    while (message := read_frame()) is not None:
        if message["type"] == "evaluate":
            write_frame(
                {
                    "type": "evaluated",
                    "id": message["id"],
                    "verdict": verdict(message["task"], message["candidate"]),
                }
            )
        elif message["type"] == "check_task":
            write_frame({"type": "checked", "id": message["id"], "items": []})
        elif message["type"] == "quit":
            break


if __name__ == "__main__":
    main()
