#!/usr/bin/env python3
"""A fixed choice of public answers to KernelBench's tasks, as JSON lines for by_kernelbench.py and by_ridgeline.py.

  pick.py --clone KERNELBENCH --leaderboard CLONE --cuda-l1 CLONE --count 60 [--most-large 20] [--cheats] > answers.jsonl

From anneouyang/KernelBenchLeaderboard (docs/assets) and deepreinforce-ai/CUDA-L1 (optimized_cuda_code/h100.json),
unchanged. Both publish only answers that they found right, with a speed-up, which is in the id; both answered an older
version of the tasks, mostly of smaller sizes. So which answers are wrong today is for the judges to say.

The choice: levels 1, 2 and 3 get 40, 35 and 25 %, a quarter of each from CUDA-L1; authors take turns, each giving the
next of its answers in an order shuffled by a fixed seed; a task is asked once. At most a fifth are answers to a task
whose class Model or whose number of constructor's or forward's inputs has changed since (a changed size is no such
change), and at most MOST_LARGE, a third if not said, are of tasks with inputs of 2 GB and more, which take
KernelBench's evaluator a minute and a half each. With --cheats come the three that KernelBench's own tests hold against its
evaluator (src/kernelbench/unit_tests). What was chosen is told on stderr. Needs torch, no GPU."""
import argparse, ast, collections, glob, json, os, random, re, sys

import torch

SHARES = {1: 0.40, 2: 0.35, 3: 0.25}
CUDA_L1 = 'cuda-l1'
LARGE = 2e9


def bare(tree):
    """Without docstrings, which were reworded here and there."""
    for node in ast.walk(tree):
        body = getattr(node, 'body', None)
        if not isinstance(node, (ast.ClassDef, ast.FunctionDef)): continue
        if not (isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant)): continue
        node.body = body[1:] or [ast.Pass()]
    return tree


def structure(source):
    """The class Model, and how many values the two functions return; none of the sizes."""
    tree = bare(ast.parse(source))
    parts = {node.name: node for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))}

    def count(name):
        last = parts[name].body[-1]
        listed = isinstance(last, ast.Return) and isinstance(last.value, (ast.List, ast.Tuple))
        return len(last.value.elts) if listed else None

    return ast.dump(parts['Model']), count('get_inputs'), count('get_init_inputs')


def input_bytes(source):
    """By shapes alone. A file whose values are needed for that counts as small: of those none is large."""
    module = {'__name__': 'task'}
    try:
        with torch.device('meta'):
            exec(source, module)
            return sum(value.nbytes for value in module['get_inputs']() if isinstance(value, torch.Tensor))
    except Exception: return 0


def leaderboard(clone):
    """(level, number, author, speed-up, source, the task as it was then)"""
    assets = f'{clone}/docs/assets'
    for name, answers in json.load(open(f'{assets}/data.json')).items():
        level, number = map(int, re.match(r'Level (\d): (\d+)_', name).groups())
        then = open(f'{assets}/problems/l{level}_p{number}.py').read()
        for answer in answers:
            source = open(f'{assets}/solutions/{answer["file"]}.py').read()
            yield level, number, answer['display_name'], answer['torch_speedup'], source, then


def cuda_l1(clone):
    for line in open(f'{clone}/optimized_cuda_code/h100.json'):
        row = json.loads(line)
        if 'class ModelNew' not in (row['custom_code'] or ''): continue  # null, or the word None: no answer
        yield row['level_id'], row['task_id'], CUDA_L1, row['score_default'], row['custom_code'], row['ref_code']


def cheats(clone):
    """What KernelBench's own tests hold against its evaluator: answers to level1/1 that must not pass, or must be flagged."""
    for path in sorted(glob.glob(f'{clone}/src/kernelbench/unit_tests/test_kernels/*.py')):
        name = os.path.basename(path).removesuffix('_kernel.py')
        yield {'id': f'cheat {name}', 'task': 'level1/1', 'language': 'torch', 'source': open(path).read()}


class Choice:
    """What was taken, and the limits that it keeps to."""

    def __init__(self, options):
        self.options, self.taken, self.tasks = options, [], {}
        self.other = self.large = 0

    def task(self, level, number):
        """The current one: its structure and its inputs' size."""
        if (level, number) not in self.tasks:
            path, = glob.glob(f'{self.options.clone}/KernelBench/level{level}/{number}_*.py')
            source = open(path).read()
            self.tasks[level, number] = structure(source), input_bytes(source)
        return self.tasks[level, number]

    def take(self, level, number, author, speedup, source, then):
        """Whether it could be."""
        now, size = self.task(level, number)
        other, large = structure(then) != now, size >= LARGE
        if any((one['level'], one['number']) == (level, number) for one in self.taken): return False
        if other and 5 * (self.other + 1) > self.options.count: return False
        if large and self.large == self.options.most_large: return False
        self.other, self.large = self.other + other, self.large + large
        language = 'triton' if re.search(r'^\s*(import|from) triton', source, re.M) else 'torch'
        self.taken.append({'level': level, 'number': number, 'author': author, 'answer': {
            'id': f'l{level}_{number} {author} published {speedup:.2f}', 'task': f'level{level}/{number}',
            'language': language, 'source': source}})
        return True

    def fill(self, candidates, wanted):
        """Authors take turns until so many more are taken, or nobody has any."""
        by_author = collections.defaultdict(list)
        for candidate in candidates: by_author[candidate[2]].append(candidate)
        until = len(self.taken) + wanted
        while any(by_author.values()):
            for author in sorted(by_author):
                while by_author[author]:
                    if len(self.taken) == until: return
                    if self.take(*by_author[author].pop(0)): break


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    for name in ('--clone', '--leaderboard', '--cuda-l1'): parser.add_argument(name, required=True)
    parser.add_argument('--count', type=int, default=60), parser.add_argument('--seed', type=int, default=42)
    parser.add_argument('--most-large', type=int), parser.add_argument('--cheats', action='store_true')
    options = parser.parse_args()
    if options.most_large is None: options.most_large = options.count // 3
    found = sorted([*leaderboard(options.leaderboard), *cuda_l1(options.cuda_l1)])  # one order on every machine
    random.Random(options.seed).shuffle(found)
    choice = Choice(options)
    for level, share in SHARES.items():
        wanted = round(share * options.count) if level < 3 else options.count - len(choice.taken)
        of_level = [candidate for candidate in found if candidate[0] == level]
        theirs = round(wanted / 4)
        choice.fill([candidate for candidate in of_level if candidate[2] == CUDA_L1], theirs)
        choice.fill([candidate for candidate in of_level if candidate[2] != CUDA_L1], wanted - theirs)
    for one in choice.taken: print(json.dumps(one['answer']))
    for one in cheats(options.clone) if options.cheats else (): print(json.dumps(one))
    for level in SHARES:
        authors = collections.Counter(one['author'] for one in choice.taken if one['level'] == level)
        print(f'level {level}: {sum(authors.values())}: {dict(authors)}', file=sys.stderr)
    published = [float(one['answer']['id'].split()[-1]) for one in choice.taken]
    print(f'{len(choice.taken)} answers; {choice.other} of tasks changed since, {choice.large} of large inputs; '
          f'published as faster: {sum(speedup > 1 for speedup in published)}', file=sys.stderr)


main()
