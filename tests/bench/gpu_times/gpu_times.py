#!/usr/bin/env python3
"""Ridgeline's times against ncu's and against replay of CUDA graphs, for the honest kernels of the suite.

  gpu_times.py RIDGELINE SOURCES [--task NAME]... [--out DIR]

RIDGELINE is the program, SOURCES the folder that holds tests/. Needs a GPU, nvcc and ncu. Prints a table, a
line a timed case, in microseconds a call; DIR keeps every figure (figures.json)."""
import argparse, concurrent.futures, csv, json, math, os, re, statistics, subprocess, sys, tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
TASKS = 'relu gelu softmax layer_norm sum mean cross_entropy permute_copy matmul conv2d attention'.split()
CASES = 'gpu gpu_cached'.split()
TYPES = {'float32': ('float', 'f', 4), 'float16': ('__half', 'h', 2), 'bfloat16': ('__nv_bfloat16', 'b', 2),
         'int64': ('int64_t', 'i', 8), 'int32': ('int32_t', 'i', 4), 'int8': ('int8_t', 'i', 1),
         'uint8': ('uint8_t', 'i', 1), 'bool': ('bool', 'i', 1), 'float64': ('double', 'f', 8)}
SCALARS = {'float64': 'double', 'int64': 'int64_t', 'bool': 'bool'}
CALLS = 8   # under ncu, the first of which is not counted
ROUNDS = 3  # of Ridgeline


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


class Kernel:
    def __init__(self, ridgeline, sources, name, folder):
        shown = subprocess.run([ridgeline, 'tasks', 'show', name, '--json'], capture_output=True, text=True, check=True)
        self.task = json.loads(shown.stdout)['task']
        self.name, self.folder = name, folder
        self.path = os.path.abspath(f'{sources}/tests/benchmark_tasks/kernels/{name}.cu')
        self.source = open(self.path).read()
        self.cases = [c for c in self.task['cases'] if c['name'] in CASES]
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


def ours(ridgeline, kernels, out):
    """Of each (task, case) the timings of ROUNDS fresh runners in one judge, and the stage's seconds."""
    lines = [json.dumps({'id': f'{k.name} {r}', 'task': k.name, 'language': 'cuda', 'source': k.source})
             for r in range(ROUNDS) for k in kernels]
    told = subprocess.run([ridgeline, 'evaluate', '--batch', '-', '--no-counters'], input='\n'.join(lines) + '\n',
                          capture_output=True, text=True, timeout=300)
    open(f'{out}/verdicts.jsonl', 'w').write(told.stdout)
    open(f'{out}/verdicts.err', 'w').write(told.stderr)
    found, seconds = {}, {}
    for line in told.stdout.splitlines():
        told = json.loads(line)
        verdict = told.get('verdict') or {}
        if not told.get('correct'):
            print(f'{told.get("id")}: not correct', json.dumps(verdict.get('stages', told))[:400])
        name, number = told['id'].split()
        if verdict.get('timing'):
            seconds.setdefault(name, {})[int(number)] = verdict['stages']['timing']['seconds']
            for case in verdict['timing']['cases']: found.setdefault((name, case['case_name']), []).append(case)
    return found, seconds


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('ridgeline'), parser.add_argument('sources')
    parser.add_argument('--task', action='append'), parser.add_argument('--out', default=tempfile.mkdtemp())
    options = parser.parse_args()
    os.makedirs(options.out, exist_ok=True)
    kernels = [Kernel(options.ridgeline, options.sources, name, options.out) for name in options.task or TASKS]
    with concurrent.futures.ThreadPoolExecutor(min(12, os.cpu_count())) as pool:
        list(pool.map(Kernel.build, kernels))
    timed, seconds = ours(options.ridgeline, kernels, options.out)
    figures = []
    for kernel in kernels:
        for number, case in enumerate(kernel.cases):
            seen = timed.get((kernel.name, case['name']))
            if not seen: continue
            middle = lambda get: statistics.median(get(s) * 1e6 for s in seen)
            row = {'task': kernel.name, 'case': case['name'], 'cold': middle(lambda s: s['cold']['median']),
                   'hot': middle(lambda s: s['hot']['median']),
                   'replayed': middle(lambda s: s['replayed']['median']), 'claimed': middle(lambda s: s['claimed']),
                   'baseline': middle(lambda s: s['baseline_cold']['median']), **kernel.replayed(number)}
            for caches in ('all', 'none') if row.get('hot_one') else ('all',):
                if told := kernel.profiled(number, caches): row['ncu_' + caches], row['kernels'] = told
            if row['cold'] < 40 and (told := kernel.profiled(number, 'all', 'apart')): row['ncu_apart'], _ = told
            figures.append(row)
    json.dump({'rows': figures, 'timing_seconds': seconds}, open(f'{options.out}/figures.json', 'w'), indent=1)
    share = lambda a, b: f'{100 * (a / b - 1):+6.1f} %' if a and b else '       –'
    number = lambda value: f'{value:9.2f}' if value else '        –'
    print(f'{"case":26}{"cold":>9}{"ncu":>9} {"diff":>8}{"apart":>9} {"diff":>8}{"cold gr.":>9} {"diff":>8}{"replayed":>9}{"hot gr.":>9} {"diff":>8}'
          f'{"hot":>9}{"ncu hot":>9} {"diff":>8}{"launched":>9}{"cold l.":>9}{"empty":>7}')
    for r in sorted(figures, key=lambda r: r['cold']):
        get = r.get
        print(f'{r["task"] + " " + r["case"]:26}{number(r["cold"])}{number(get("ncu_all"))} {share(r["cold"], get("ncu_all"))}'
              f'{number(get("ncu_apart"))} {share(r["cold"], get("ncu_apart"))}'
              f'{number(get("cold_graph"))} {share(r["cold"], get("cold_graph"))}{number(r["replayed"])}{number(get("hot_graph"))} '
              f'{share(r["replayed"], get("hot_graph"))}{number(r["hot"])}{number(get("ncu_none"))} {share(r["hot"], get("ncu_none"))}'
              f'{number(get("hot_launched"))}{number(get("cold_launched"))}{get("empty_graph", 0):7.2f}', get('trouble', ''))
    for name, rounds in seconds.items():
        print(f'timing stage, {name}: ' + ', '.join(f'{s:.3f} s' for _, s in sorted(rounds.items())))


main()
