#!/usr/bin/env python3
"""How many kernels are judged in a second, how long one takes, and whether bad neighbours disturb.

  many.py RIDGELINE SOURCES alone|sustained|neighbours [--count 100] [--no-counters] [--task NAME]...

RIDGELINE is the program, SOURCES the folder that holds tests/. Needs a GPU and nvcc. No kernel is built twice: each carries a
comment of its own.
  alone       one after another, a warm worker: from source to verdict, and what the stages took
  sustained   COUNT different kernels given at once, built beside
  neighbours  COUNT honest kernels, then as many of which every third crashes, hangs, corrupts memory or cheats: the verdicts of
              the honest ones, their times, and the time of all"""
import argparse, glob, json, os, statistics, subprocess, sys, threading, time

TASKS = 'softmax relu matmul layer_norm sum mean gelu cross_entropy permute_copy conv2d'.split()
STAGES = 'build call correctness timing profile'.split()
BAD = 'forged/background_thread.cu forged/late_writes.cu forged/own_context.cu attacks/forks.cu attacks/searches_neighbours.cu wrong/one_past_the_end.cu ends/*.cu'.split()
KEPT_OUT = {'endless_kernel_everywhere'}  # as endless_kernel, of which one is enough


class Batch:
    """`ridgeline evaluate --batch -`, kept running."""

    def __init__(self, options):
        command = [options.ridgeline, 'evaluate', '--batch', '-'] + ['--no-counters'] * options.no_counters
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=sys.stderr, text=True, bufsize=1)

    def give(self, kernels):
        """Written by another thread: neither pipe holds them all, and both sides would wait for each other."""
        lines = [json.dumps(kernel) + '\n' for kernel in kernels]
        self.writer = threading.Thread(target=lambda: (self.process.stdin.writelines(lines), self.process.stdin.flush()), daemon=True)
        self.writer.start()

    def take(self, count):
        for _ in range(count):
            line = self.process.stdout.readline()
            if not line: sys.exit(f'the program ended: {self.process.wait()}')
            yield time.monotonic(), json.loads(line)

    def end(self):
        self.writer.join()
        self.process.stdin.close()
        self.process.wait()


def kernel(options, name, number):
    source = open(f'{options.sources}/tests/benchmark_tasks/kernels/{name}.cu').read()
    return {'id': f'{name} {number}', 'task': name, 'language': 'cuda', 'source': f'// {os.getpid()} {number}\n{source}'}


def bad_kernel(options, path, number):
    text = open(path).read()
    task = next(line.split()[-1] for line in text.splitlines() if line.startswith('// task:'))
    return {'id': f'bad {os.path.basename(path)[:-3]} {number}', 'task': f'{options.sources}/tests/testcases/cuda/tasks/{task}.yaml',
            'language': 'cuda', 'source': f'// {os.getpid()} {number}\n{text}'}


def seconds(answer):
    stages = (answer.get('verdict') or {}).get('stages', {})
    return {stage: stages.get(stage, {}).get('seconds', 0) for stage in STAGES}


def summary(values):
    ordered = sorted(values)
    return f'median {statistics.median(ordered):.3f}, p90 {ordered[int(0.9 * (len(ordered) - 1))]:.3f}, most {ordered[-1]:.3f}'


def how(answer):
    """What became of it, in a word or two."""
    return 'correct' if answer.get('correct') else f'{answer.get("failed_at", "no verdict")} {answer.get("reason", answer.get("error", ""))}'


def alone(options):
    batch = Batch(options)
    print(f'{"kernel":16}{"all":>8}' + ''.join(f'{stage:>13}' for stage in STAGES) + f'{"between":>9}   medians of {options.count}, s')
    medians = []
    for name in options.tasks:
        rows = []
        for number in range(options.count + 1):
            begin = time.monotonic()
            batch.give([kernel(options, name, number)])
            end, answer = next(batch.take(1))
            if not answer.get('correct'): print(answer['id'], how(answer), json.dumps(answer)[:400])
            if number: rows.append((end - begin, seconds(answer)))  # the first brings the task and its baseline
        whole = statistics.median(row[0] for row in rows)
        stages = [statistics.median(row[1][stage] for row in rows) for stage in STAGES]
        medians.append(whole)
        print(f'{name:16}{whole:8.3f}' + ''.join(f'{stage:13.3f}' for stage in stages) + f'{whole - sum(stages):9.3f}', flush=True)
    batch.end()
    print(f'from source to verdict, of {len(medians)} tasks: {summary(medians)}')


def sustained(options):
    batch = Batch(options)
    batch.give([kernel(options, name, 0) for name in options.tasks])
    list(batch.take(len(options.tasks)))
    begin = time.monotonic()
    batch.give([kernel(options, options.tasks[i % len(options.tasks)], 1 + i) for i in range(options.count)])
    answers = list(batch.take(options.count))
    batch.end()
    wall = answers[-1][0] - begin
    spent = [seconds(answer) for _, answer in answers]
    judged = sum(sum(one.values()) - one['build'] for one in spent)
    wrong = [f'{answer["id"]}: {how(answer)}' for _, answer in answers if not answer.get('correct')]
    flagged = [answer['id'] for _, answer in answers if (answer.get('verdict') or {}).get('cheated')]
    print(f'{options.count} kernels of {len(options.tasks)} tasks in {wall:.1f} s: {options.count / wall:.2f} a second; half of them after '
          f'{answers[options.count // 2][0] - begin:.1f} s')
    print(f'the judge was busy with stages {100 * judged / wall:.0f} % of it, {judged / options.count:.3f} s a kernel; builds {sum(one["build"] for one in spent):.0f} s together, '
          f'{options.count / wall:.2f} a second, each {summary([one["build"] for one in spent])}')
    for stage in STAGES[1:]: print(f'  {stage:12} {summary([one[stage] for one in spent])} s')
    print(f'not correct: {wrong or "none"}; flagged: {flagged or "none"}')


def neighbours(options):
    paths = [path for pattern in BAD for path in sorted(glob.glob(f'{options.sources}/tests/testcases/cuda/{pattern}'))]
    paths = [path for path in paths if os.path.basename(path)[:-3] not in KEPT_OUT]
    batch = Batch(options)
    batch.give([kernel(options, name, 0) for name in options.tasks])
    list(batch.take(len(options.tasks)))
    walls, speedups = [], []
    for round in (1, 2):
        kernels = []
        for i in range(options.count):
            bad = round == 2 and i % 3 == 2
            kernels.append(bad_kernel(options, paths[i // 3 % len(paths)], i) if bad
                           else kernel(options, options.tasks[i % len(options.tasks)], f'{round}.{i}'))
        begin = time.monotonic()
        batch.give(kernels)
        answers = list(batch.take(options.count))
        walls.append(answers[-1][0] - begin)
        honest = [answer for _, answer in answers if not answer['id'].startswith('bad')]
        bad = sorted((answer['id'].split()[1], how(answer), sum(seconds(answer).values()) - seconds(answer)['build'])
                     for _, answer in answers if answer['id'].startswith('bad'))
        times = {}
        for answer in honest:
            if answer.get('correct'): times.setdefault(answer['id'].split()[0], []).append(answer['verdict']['timing']['speedup'])
        speedups.append({name: statistics.median(values) for name, values in times.items()})
        right = sum(1 for answer in honest if answer.get('correct') and not answer['verdict'].get('cheated'))
        print(f'round {round}: {options.count} kernels in {walls[-1]:.1f} s; of {len(honest)} honest ones {right} correct and not flagged')
        for answer in honest:
            if not answer.get('correct'): print(' ', answer['id'], how(answer), json.dumps(answer)[:400])
        for name, what, took in bad: print(f'  {name:28} {what:40} {took:6.2f} s of the judge')
    batch.end()
    print(f'with bad neighbours {walls[1] / walls[0]:.2f} times as long')
    for name in speedups[0]:
        if name in speedups[1]: print(f'  {name:16} speed-up {speedups[0][name]:.3f} -> {speedups[1][name]:.3f} ({100 * (speedups[1][name] / speedups[0][name] - 1):+.1f} %)')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('ridgeline'), parser.add_argument('sources'), parser.add_argument('what', choices=['alone', 'sustained', 'neighbours'])
    parser.add_argument('--count', type=int), parser.add_argument('--no-counters', action='store_true'), parser.add_argument('--task', action='append')
    options = parser.parse_args()
    options.tasks = options.task or TASKS
    options.count = options.count or {'alone': 5, 'sustained': 100, 'neighbours': 100}[options.what]
    {'alone': alone, 'sustained': sustained, 'neighbours': neighbours}[options.what](options)


main()
