#!/usr/bin/env python3
"""How far the same kernel's figures lie apart: each is judged again and again, in a fresh runner each time.

  repeat.py RIDGELINE SOURCES [--times 20] [--task NAME]...

RIDGELINE is the program, SOURCES the folder that holds tests/. Needs a GPU and nvcc. Kernels take turns."""
import argparse, json, subprocess

TASKS = 'softmax layer_norm matmul conv2d abs cholesky attention'.split()


def at(values, share):
    """The quantile, between neighbours where it falls between two."""
    place = share * (len(values) - 1)
    low = int(place)
    high = min(low + 1, len(values) - 1)
    return values[low] + (place - low) * (values[high] - values[low])


def spread(values):
    ordered = sorted(values)
    return f'{100 * (at(ordered, 0.95) / at(ordered, 0.05) - 1):8.2f} %'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('ridgeline'), parser.add_argument('sources')
    parser.add_argument('--times', type=int, default=20), parser.add_argument('--task', action='append')
    parser.add_argument('--out')
    options = parser.parse_args()
    source = lambda name: open(f'{options.sources}/tests/benchmark_tasks/kernels/{name}.cu').read()
    names = options.task or TASKS
    lines = [json.dumps({'id': f'{name} {i}', 'task': name, 'language': 'cuda', 'source': source(name)})
             for i in range(options.times) for name in names]
    told = subprocess.run([options.ridgeline, 'evaluate', '--batch', '-', '--no-counters'],
                          input='\n'.join(lines) + '\n', capture_output=True, text=True)
    if options.out: open(options.out, 'w').write(told.stdout)
    seen, seconds, notes = {}, {}, {}
    for answer in map(json.loads, told.stdout.splitlines()):
        name, verdict = answer['id'].split()[0], answer.get('verdict') or {}
        if not answer.get('correct'): print(answer['id'], 'not correct', json.dumps(verdict.get('stages'))[:300])
        if not verdict.get('timing'): continue
        seconds.setdefault(name, []).append(verdict['stages']['timing']['seconds'])
        for note in verdict['notes']: notes[note] = notes.get(note, 0) + 1
        seen.setdefault((name, 'all'), []).append((0, 0, 0, 0, verdict['timing']['speedup'], 1))
        for c in verdict['timing']['cases']:
            seen.setdefault((name, c['case_name']), []).append(
                (c['cold']['median'], c['hot']['median'], c['replayed']['median'], c['baseline_cold']['median'],
                 c['speedup'], c['baseline_drift']))
    print(f'{"kernel":14}{"case":18}{"times":>6}{"cold, µs":>10}{"speed-up":>9}  p95/p5 of: cold       hot  replayed  baseline  speed-up  drift of the baseline')
    for (name, case), rows in sorted(seen.items()):
        cold, hot, replayed, baseline, speedup, drift = zip(*rows)
        show = lambda values: spread(values) if min(values) > 0 else '         –'
        print(f'{name:14}{case:18}{len(rows):6}{at(sorted(cold), 0.5) * 1e6:10.2f}{at(sorted(speedup), 0.5):9.3f}        '
              f'{show(cold)}{show(hot)}{show(replayed)}{show(baseline)}{show(speedup)}  {min(drift):.2f} to {max(drift):.2f}')
    for name, all in sorted(seconds.items()):
        print(f'timing stage, {name}: first {all[0]:.3f} s, then median {at(sorted(all[1:]), 0.5):.3f} s, longest {max(all[1:]):.3f} s')
    for note, count in notes.items(): print(f'{count} times: {note}')


main()
