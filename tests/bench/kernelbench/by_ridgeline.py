#!/usr/bin/env python3
"""What Ridgeline says of the same answers, and how long it takes.

  by_ridgeline.py --clone KERNELBENCH --answers FILE.jsonl --out RESULTS.jsonl --ridgeline PROGRAM [--one-at-a-time]
                  [--seconds 540] [-- more arguments for PROGRAM]

One warm `ridgeline evaluate --batch -` judges all. With --one-at-a-time the next answer is given when the last verdict
came: its seconds are from source to verdict. Otherwise all are given at once, and only the answers a minute mean
something. After SECONDS nothing is given any more and what is left is ended. The next run goes on: an answer in RESULTS
is done."""
import argparse, json, os, queue, signal, subprocess, sys, threading, time

import records

GIVEN = 'id task language source'.split()
STAGES = 'build call correctness timing profile'.split()


class Batch:
    """`ridgeline evaluate --batch -`. Threads read and write: neither pipe holds all, and both sides would wait."""

    def __init__(self, options, more):
        command = [options.ridgeline, 'evaluate', '--suite', f'kernelbench:{options.clone}', '--backend', 'cuda',
                   '--batch', '-'] + more
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True, bufsize=1, start_new_session=True)
        self.verdicts, self.ready = queue.Queue(), threading.Event()
        for work in (self.read, self.listen): threading.Thread(target=work, daemon=True).start()

    def read(self):
        for line in self.process.stdout: self.verdicts.put((time.monotonic(), json.loads(line)))
        self.verdicts.put((time.monotonic(), None))

    def listen(self):
        for line in self.process.stderr:
            if line.startswith('ready'): self.ready.set()
            else: sys.stderr.write(line)
        self.ready.set()

    def give(self, answers):
        lines = [json.dumps({name: answer[name] for name in GIVEN}) + '\n' for answer in answers]

        def write():
            try: self.process.stdin.writelines(lines), self.process.stdin.flush()
            except OSError: pass  # it ended, which the reader tells

        threading.Thread(target=write, daemon=True).start()

    def take(self, end):
        """The next verdict and when it came, or None where time is up or the program ended."""
        try: came, verdict = self.verdicts.get(timeout=max(0, end - time.monotonic()))
        except queue.Empty: return None
        return (came, verdict) if verdict else None

    def end(self, all_came):
        """It ends with its input where nothing is left, else it is asked to. Then all its processes are ended."""
        if all_came: self.process.stdin.close()
        else: self.process.terminate()
        try: self.process.wait(10)
        except subprocess.TimeoutExpired: pass
        try: os.killpg(self.process.pid, signal.SIGKILL)
        except ProcessLookupError: pass
        self.process.wait()


def record(options, told, seconds):
    verdict = told.get('verdict') or {}
    stages = verdict.get('stages', {})
    cases = (verdict.get('timing') or {}).get('cases', [])
    failed = stages.get(told.get('failed_at') or '', {})
    return {'id': told['id'], 'seconds': seconds, 'one_at_a_time': options.one_at_a_time,
            'stages': {stage: stages.get(stage, {}).get('seconds', 0) for stage in STAGES},
            'judged': bool(told.get('judged')), 'correct': bool(told.get('correct')), 'faithful': verdict.get('faithful_correct'),
            'cheated': bool(verdict.get('cheated')), 'flags': verdict.get('flags', []),
            'failed_at': told.get('failed_at'), 'reason': told.get('reason', 'error'), 'speedup': told.get('speedup'),
            'cold_ms': [1e3 * one['cold']['median'] for one in cases],
            'baseline_ms': [1e3 * one['baseline_cold']['median'] for one in cases],
            'detail': (failed.get('detail') or told.get('error', ''))[:300],
            'build': stages.get('build', {}).get('detail', '')[:100]}


def judge(options, batch, answers, end):
    """The results as they come. Given at once, all their seconds count from the same moment."""
    waiting, given = list(answers), {}
    while waiting or given:
        if waiting and not (options.one_at_a_time and given):
            now, waiting = (waiting[:1], waiting[1:]) if options.one_at_a_time else (waiting, [])
            given.update({answer['id']: time.monotonic() for answer in now})
            batch.give(now)
        taken = batch.take(end)
        if not taken: return
        came, told = taken
        if told.get('id') not in given: print(f'no answer of ours: {json.dumps(told)[:300]}', file=sys.stderr)
        else: yield came, record(options, told, came - given.pop(told['id']))


def main():
    own, more = sys.argv[1:], []
    if '--' in own: own, more = own[:own.index('--')], own[own.index('--') + 1:]
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--clone', required=True), parser.add_argument('--answers', required=True)
    parser.add_argument('--out', required=True), parser.add_argument('--ridgeline', required=True)
    parser.add_argument('--one-at-a-time', action='store_true'), parser.add_argument('--seconds', type=float, default=540)
    options = parser.parse_args(own)
    end = time.monotonic() + options.seconds
    answers = records.left(options.answers, options.out)
    batch = Batch(options, more)
    batch.ready.wait(options.seconds)
    begin = last = time.monotonic()
    done = unjudged = 0
    try:
        for last, result in judge(options, batch, answers, end):
            records.append(options.out, result)
            done += 1
            unjudged += not result['judged']
            word = 'correct' if result['correct'] else 'wrong' if result['judged'] else 'unjudged'
            print(f'{word:9}{"faithful" if result["faithful"] else "":9}'
                  f'{result["seconds"]:7.1f} s {result["id"]} {result["reason"]} {result["detail"][:80]}', flush=True)
    finally: batch.end(done == len(answers))
    wall = last - begin
    print(f'{done} answers in {wall:.1f} s, {60 * done / wall if wall else 0:.1f} a minute; '
          f'{unjudged} of them not judged (the machine or the line failed, not the answer), '
          f'{len(answers) - done} answers left')
    if done < len(answers) and time.monotonic() < end: sys.exit(f'the program ended: {batch.process.returncode}')


main()
