#!/usr/bin/env python3
"""mailboxes.py FOLDER [SIZE]: answers in FOLDER/mail-*/ what was recorded, and lists what is still open.

FOLDER holds copies of this folder's campaign files, which were run there with --until-waiting. With SIZE, open
prompts are listed in FOLDER/batches/NN.txt, which replace those of an earlier call: SIZE lines of `prompt TAB answer`
each, no task twice in a batch, so that no reader sees two prompts of one task. Needs the program zstd.
"""
import collections
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
LANGUAGES = ("cuda", "triton")


def recorded(language):
    """Returns {address: answer} of a recording; an address is "task/strategy/seed/step/slot"."""
    text = subprocess.run(["zstd", "-dc", HERE / f"{language}-answers.jsonl.zst"], check=True, capture_output=True).stdout
    answers = map(json.loads, text.splitlines()[1:])
    return {"/".join(str(a[key]) for key in ("task", "strategy", "seed", "step", "slot")): a for a in answers}


def fill(folder, language):
    """Answers each request whose prompt was recorded; returns the others as (task, strategy, prompt, answer)."""
    mailbox = folder / f"mail-{language}"
    known, unanswered = recorded(language), []
    for prompt in sorted((mailbox / "outbox").glob("*.md")):
        answer = mailbox / "inbox" / prompt.name
        if answer.exists():
            continue
        request = json.loads(prompt.with_suffix(".json").read_text())
        match = known.get(request["address"])
        if match and match["request_hash"] == request["request_hash"]:
            answer.write_text(match["text"])
        else:
            task, strategy = request["address"].rsplit("/", 4)[:2]
            unanswered.append((task, strategy, prompt, answer))
    return unanswered


def batches(unanswered, size):
    """Spreads the prompts over as few batches of at most `size` as keep each task once in a batch."""
    spread = []
    for prompt in unanswered:
        for batch in spread:
            if len(batch) < size and all(other[0] != prompt[0] for other in batch):
                batch.append(prompt)
                break
        else:
            spread.append([prompt])
    return spread


def main():
    folder = pathlib.Path(sys.argv[1]).resolve()
    unanswered = [prompt for language in LANGUAGES for prompt in fill(folder, language)]
    print(dict(collections.Counter(strategy for _, strategy, _, _ in unanswered)))
    if len(sys.argv) < 3:
        return
    (folder / "batches").mkdir(exist_ok=True)
    for old in (folder / "batches").glob("*.txt"):
        old.unlink()
    for number, batch in enumerate(batches(unanswered, int(sys.argv[2]))):
        lines = (f"{prompt}\t{answer}\n" for _, _, prompt, answer in batch)
        (folder / f"batches/{number:02}.txt").write_text("".join(lines))


main()
