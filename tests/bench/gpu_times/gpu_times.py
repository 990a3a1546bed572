#!/usr/bin/env python3
"""Ridgeline's times against ncu's and against replay of CUDA graphs, for the honest kernels of the suite.

  gpu_times.py RIDGELINE SOURCES SUITE [--task NAME]... [--case NAME]... [--out DIR]

RIDGELINE is the program, SOURCES the folder that holds tests/, SUITE that of the tasks. Needs a GPU, nvcc and ncu. Prints a table, a
line a timed case, in microseconds a call; "own" is the kernels' own time (the counter kernel_seconds), beside ncu's of cold
caches. DIR keeps every figure (figures.json)."""
import argparse, concurrent.futures, csv, glob, json, math, os, re, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TASKS = 'relu gelu softmax layer_norm sum mean permute_copy matmul addmm conv2d attention'.split()
CASES = 'gpu gpu_cached gpu_small'.split()
# Cases that the suite lacks, since eager LibTorch is bound by launches there: for calls of 5 to 15 µs.
SMALL = {'permute_copy': 'A: 32, B: 128, C: 256', 'sum': 'M: 1024, N: 2048', 'mean': 'M: 16, K: 128, N: 1024',
         'relu': 'N: 1572864', 'softmax': 'M: 512, N: 2048', 'layer_norm': 'M: 512, N: 2048'}
TYPES = {'float32': ('float', 'f', 4), 'float16': ('__half', 'h', 2), 'bfloat16': ('__nv_bfloat16', 'b', 2),
         'int64': ('int64_t', 'i', 8), 'int32': ('int32_t', 'i', 4), 'int8': ('int8_t', 'i', 1),
         'uint8': ('uint8_t', 'i', 1), 'bool': ('bool', 'i', 1), 'float64': ('double', 'f', 8)}
SCALARS = {'float64': 'double', 'int64': 'int64_t', 'bool': 'bool'}
CALLS = 8   # under ncu, the first of which is not counted
ROUNDS = 3  # of Ridgeline; a further one reads counters, and gives the kernels' own time
APART_BELOW = 12  # µs; above, pages that nobody has come near for long make no difference
WIDTHS = (26, 9, 9, 9, 9, 9, 9, 9, 9, 9, 10, 9, 9, 9, 10, 9, 9)


def evaluate(expression, sizes):
    names = dict(sizes, min=min, max=max, sqrt=math.sqrt, log2=math.log2, ceil_div=lambda a, b: -(-a // b))
    return eval(expression, {'__builtins__': {}}, names)  # an expression of a task file of ours


def cases_source(task, cases, source):
    """CASES of replay.cu: the shapes, and for each a call with its sizes and scalars."""
    tensors = [p for p in task['parameters'] if p['kind'] == 'tensor']
    scalars = [p for p in task['parameters'] if p['kind'] == 'scalar']
    name = 'kernel_' + task['name']
    takes_workspace = name + '_workspace' in source
    text, shapes = '', []
    for number, case in enumerate(cases):
        sizes = case['sizes']
        values = [f'int64_t{{{sizes[s]}}}' for s in task['sizes']]
        arguments = [f'reinterpret_cast<{TYPES[t["dtype"]][0]}*>(t[{i}])' for i, t in enumerate(tensors)] + values
        arguments += [f'{SCALARS[s["type"]]}({evaluate(s["value"], sizes)!r})' for s in scalars]
        arguments += ['w'] * takes_workspace + ['s']
        text += f'static void call{number}(char* const* t, void* w, void* s) {{ {name}({", ".join(arguments)}); }}\n'
        buffers = []
        for t in tensors:
            kind, letter, size = TYPES[t['dtype']]
            elements = math.prod(int(evaluate(e, sizes)) for e in t['shape'])
            high = t.get('input', {}).get('high') or '1'
            buffers.append(f'{{{elements}, {size}, \'{letter}\', {float(evaluate(high, sizes))!r}}}')
        workspace = f'{name}_workspace({", ".join(values)})' if takes_workspace else '0'
        shapes.append(f'{{{{{", ".join(buffers)}}}, {workspace}, call{number}}}')
    return text + 'static std::vector<bench::Shape> shapes() { return {' + ',\n  '.join(shapes) + '}; }\n'


def with_small_case(suite, name, folder):
    """The task file, or a copy that has the case of SMALL too."""
    path = glob.glob(f'{suite}/*/{name}.yaml')[0]
    if name not in SMALL: return os.path.abspath(path)
    lines = open(path).read().splitlines()
    last = max(i for i, line in enumerate(lines) if 'timed: true' in line)
    lines.insert(last + 1, f'  - {{name: gpu_small, sizes: {{{SMALL[name]}}}, timed: true, backend: cuda}}')
    copy = f'{folder}/{os.path.basename(os.path.dirname(path))}/{name}.yaml'
    os.makedirs(os.path.dirname(copy), exist_ok=True)
    open(copy, 'w').write('\n'.join(lines) + '\n')
    return os.path.abspath(copy)


class Kernel:
    def __init__(self, ridgeline, sources, suite, name, folder, cases):
        self.file = with_small_case(suite, name, folder)
        shown = subprocess.run([ridgeline, 'tasks', 'show', self.file, '--json'], capture_output=True, text=True, check=True)
        self.task = json.loads(shown.stdout)['task']
        self.name, self.folder = name, folder
        self.path = os.path.abspath(f'{sources}/tests/benchmark_tasks/kernels/{name}.cu')
        self.source = open(self.path).read()
        self.cases = [c for c in self.task['cases'] if c['name'] in cases]
        self.program = f'{folder}/{name}'

    def build(self):
        cases = f'{self.folder}/{self.name}.cases.inc'
        open(cases, 'w').write(cases_source(self.task, self.cases, self.source))
        subprocess.run(['nvcc', '-O3', '-std=c++17', '-arch=native', f'-DKERNEL="{self.path}"', f'-DCASES="{cases}"',
                        '-o', self.program, f'{HERE}/replay.cu'], check=True)

    def replayed(self, number):
        told = subprocess.run([self.program, 'times', str(number)], capture_output=True, text=True, timeout=60)
        return json.loads(told.stdout) if told.returncode == 0 else {'trouble': told.stderr.strip()}

    def profiled(self, number, caches, mode='calls'):
        """Microseconds of a call's kernels, by ncu: the sum over its kernels of each one's median."""
        told = subprocess.run(['ncu', '--clock-control', 'none', '--cache-control', caches, '--csv', '--metrics',
                               'gpu__time_duration.sum', self.program, mode, str(number), str(CALLS)],
                              capture_output=True, text=True, timeout=60)
        rows = list(csv.DictReader(line for line in told.stdout.splitlines() if line.startswith('"')))
        if not rows or len(rows) % CALLS: return None
        unit = {'ns': 1e-3, 'nsecond': 1e-3, 'us': 1, 'usecond': 1, 'ms': 1e3, 'msecond': 1e3, 's': 1e6}
        seen = [float(r['Metric Value'].replace(',', '')) * unit[r['Metric Unit']] for r in rows]
        kernels = len(rows) // CALLS
        return sum(statistics.median(seen[k + kernels::kernels]) for k in range(kernels)), kernels


def batch(ridgeline, kernels, rounds, out, name, *options):
    """Of each request of one judge its kernel's name, its round and its verdict."""
    lines = [json.dumps({'id': f'{k.name} {r}', 'task': k.file, 'language': 'cuda', 'source': k.source})
             for r in range(rounds) for k in kernels]
    told = subprocess.run([ridgeline, 'evaluate', '--batch', '-', *options], input='\n'.join(lines) + '\n',
                          capture_output=True, text=True, timeout=300)
    open(f'{out}/{name}.jsonl', 'w').write(told.stdout)
    open(f'{out}/{name}.err', 'w').write(told.stderr)
    for line in told.stdout.splitlines():
        told = json.loads(line)
        verdict = told.get('verdict') or {}
        if not told.get('correct'):
            print(f'{told.get("id")}: not correct', json.dumps(verdict.get('stages', told))[:400])
        yield *told['id'].split(), verdict


def own_times(ridgeline, kernels, out):
    """Of each (task, case) the kernels' own seconds, where they could be recorded."""
    found = {}
    for name, _, verdict in batch(ridgeline, kernels, 1, out, 'counted'):
        for placed in verdict.get('rooflines', []):
            for counter in placed['counters']:
                if counter['name'] == 'kernel_seconds': found[name, placed['case_name']] = counter['value']
        detail = verdict.get('stages', {}).get('profile', {}).get('detail')
        if detail: print(f'{name}, profile: {detail}', flush=True)
    return found


def ours(ridgeline, kernels, out):
    """Of each (task, case) the timings of ROUNDS fresh runners in one judge, and the stage's seconds."""
    found, seconds = {}, {}
    for name, number, verdict in batch(ridgeline, kernels, ROUNDS, out, 'verdicts', '--no-counters'):
        if verdict.get('timing'):
            seconds.setdefault(name, {})[int(number)] = verdict['stages']['timing']['seconds']
            for case in verdict['timing']['cases']: found.setdefault((name, case['case_name']), []).append(case)
    return found, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('ridgeline'), parser.add_argument('sources'), parser.add_argument('suite')
    parser.add_argument('--task', action='append'), parser.add_argument('--case', action='append')
    parser.add_argument('--out', default=tempfile.mkdtemp())
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    kernels = [Kernel(options.ridgeline, options.sources, options.suite, name, options.out, options.case or CASES)
               for name in options.task or TASKS]
    with concurrent.futures.ThreadPoolExecutor(min(12, os.cpu_count())) as pool:
        list(pool.map(Kernel.build, kernels))
    timed, seconds = ours(options.ridgeline, kernels, options.out)
    own = own_times(options.ridgeline, kernels, options.out)
    figures = []
    head = ['case', 'cold', 'ncu', '', 'own', '', 'apart', 'graph', '', 'launched', 'hot', 'ncu', '', 'launched', 'replayed', 'graph', '']
    print(''.join(f'{h:>{w}}' for h, w in zip(head, WIDTHS)), flush=True)
    for kernel in kernels:
        for number, case in enumerate(kernel.cases):
            seen = timed.get((kernel.name, case['name']))
            if not seen: continue
            middle = lambda get: statistics.median(get(s) * 1e6 for s in seen)
            row = {'task': kernel.name, 'case': case['name'], 'claimed': middle(lambda s: s['claimed']),
                   'baseline': middle(lambda s: s['baseline_cold']['median']), **kernel.replayed(number)}
            for kind in ('cold', 'hot', 'replayed'): row[kind] = middle(lambda s: s[kind]['median'])
            if (kernel.name, case['name']) in own: row['own'] = own[kernel.name, case['name']] * 1e6
            if told := kernel.profiled(number, 'all'): row['ncu_all'], row['kernels'] = told
            if row['hot'] and (told := kernel.profiled(number, 'none')): row['ncu_none'], _ = told
            if row['cold'] < APART_BELOW and (told := kernel.profiled(number, 'all', 'apart')): row['ncu_apart'], _ = told
            figures.append(row)
            show(row)
            json.dump({'rows': figures, 'timing_seconds': seconds}, open(f'{options.out}/figures.json', 'w'), indent=1)
    for name, rounds in seconds.items():
        print(f'timing stage, {name}: ' + ', '.join(f'{s:.3f} s' for _, s in sorted(rounds.items())))


def show(row):
    """Each figure of ours, then the others', and by how much ours is more."""
    share = lambda a, b: f'{100 * (a / b - 1):+.1f} %' if a and b else '–'
    number = lambda name: f'{row[name]:.2f}' if row.get(name) else '–'
    cells = [f'{row["task"]} {row["case"]}', number('cold'), number('ncu_all'), share(row['cold'], row.get('ncu_all')),
             number('own'), share(row.get('own'), row.get('ncu_all')), number('ncu_apart'), number('cold_graph'), share(row['cold'], row.get('cold_graph')), number('cold_launched'),
             number('hot'), number('ncu_none'), share(row['hot'], row.get('ncu_none')), number('hot_launched'),
             number('replayed'), number('hot_graph'), share(row['replayed'], row.get('hot_graph'))]
    print(''.join(f'{c:>{w}}' for c, w in zip(cells, WIDTHS)), row.get('trouble', ''), flush=True)


main()
