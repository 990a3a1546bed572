#!/usr/bin/env python3
"""The same answers as KernelBench and as Ridgeline judged them, as a table in markdown.

  side_by_side.py KERNELBENCH.jsonl RIDGELINE.jsonl

KernelBench's seconds are those of the build and of the process that evaluates. Ridgeline's are from source to verdict
where answers were given one at a time, else those of its stages."""
import argparse, statistics

import records


def kernelbench_seconds(judged):
    """None where its evaluation ran beside others."""
    if judged.get('evaluated_beside'): return None
    return judged['build_seconds'] + (judged['eval_seconds'] or 0)


def ridgeline_seconds(judged):
    return judged['seconds'] if judged['one_at_a_time'] else sum(judged['stages'].values())


def kernelbench_speedup(judged):
    """Strictly what its fast_p divides: the reference's mean by the answer's, of right answers."""
    if judged.get('evaluated_beside'): return None
    if not judged['correct'] or not judged['runtime'] or judged['runtime'] <= 0: return None
    return judged['ref_runtime'] / judged['runtime']


def is_judged(ridgeline):
    """Results from before this was kept count as judged."""
    return ridgeline.get('judged', True)


def number(value, digits=2): return '' if value is None else f'{value:.{digits}f}'


def yes(value): return 'yes' if value else 'no'


def cell(text): return ' '.join(str(text).replace('|', '/').split())


def row(kernelbench, ridgeline):
    theirs, ours = kernelbench_seconds(kernelbench), ridgeline_seconds(ridgeline)
    reason = '' if ridgeline['reason'] == 'none' else ridgeline['reason']
    if ridgeline['cheated']: reason += ' (flagged)'
    if not is_judged(ridgeline): reason = f'not judged: {reason}'
    cells = [kernelbench['id'], yes(kernelbench['compiled']), yes(kernelbench['correct']),
             number(kernelbench_speedup(kernelbench)) + '!' * bool(kernelbench['excessive']), number(theirs, 1),
             yes(ridgeline['faithful']), yes(ridgeline['correct'] and not ridgeline['cheated']), reason,
             number(ridgeline['speedup']), number(ours, 1), number(theirs / ours if theirs and ours else None)]
    return '| ' + ' | '.join(cell(one) for one in cells) + ' |'


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('kernelbench'), parser.add_argument('ridgeline')
    options = parser.parse_args()
    theirs = {judged['id']: judged for judged in records.read(options.kernelbench)}
    ours = {judged['id']: judged for judged in records.read(options.ridgeline)}
    both = [(theirs[name], ours[name]) for name in theirs if name in ours]
    if not both: raise SystemExit('no answer that both judged')
    print('| answer | compiled | correct | speed-up | s | faithful | hardened | reason | speed-up | s | ratio of s |')
    print('|---|---|---|---|---|---|---|---|---|---|---|')
    for pair in both: print(row(*pair))
    pairs, both = both, [pair for pair in both if is_judged(pair[1])]
    print(f'\nColumns 2 to 5 are KernelBench, 6 to 10 Ridgeline; `!` is a speed-up that KernelBench calls excessive. '
          f'Judged by one of them alone: {len(theirs) - len(pairs)} and {len(ours) - len(pairs)}.\n')
    print(f'Not judged by Ridgeline, and left out of what follows: {len(pairs) - len(both)}.\n')
    differ = [(one, other) for one, other in both if bool(one['correct']) != bool(other['faithful'])]
    print(f'KernelBench\'s `correct` and our `faithful` agree on {len(both) - len(differ)} of {len(both)}.')
    for one, other in differ:
        print(f'- {one["id"]}: KernelBench {"correct" if one["correct"] else "not correct: " + cell(one["error"][:200])}; '
              f'Ridgeline {"faithful" if other["faithful"] else "not"}, {other["reason"]}'
              f'{" in " + other["failed_at"] if other["failed_at"] else ""} {cell(other["detail"][:200])}')
    refused = [(one, other) for one, other in both if one['correct'] and not (other['correct'] and not other['cheated'])]
    print(f'Correct for KernelBench and not by our own rule: {len(refused)}.')
    for one, other in refused: print(f'- {one["id"]}: {other["reason"]} {cell(other["detail"][:200])}')
    alone = [(one, other) for one, other in both if kernelbench_seconds(one) and ridgeline_seconds(other)]
    if alone:
        print(f'\nMedian seconds of the {len(alone)} that KernelBench judged alone: KernelBench '
              f'{statistics.median(kernelbench_seconds(one) for one, _ in alone):.1f} '
              f'(building {statistics.median(one["build_seconds"] for one, _ in alone):.1f}), '
              f'Ridgeline {statistics.median(ridgeline_seconds(other) for _, other in alone):.1f}; median of the ratios '
              f'{statistics.median(kernelbench_seconds(one) / ridgeline_seconds(other) for one, other in alone):.2f}.')
    apart = [kernelbench_speedup(one) / other['speedup'] for one, other in both
             if kernelbench_speedup(one) and other['speedup']]
    if apart: print(f'Median of KernelBench\'s speed-up by ours, where both timed it ({len(apart)}): '
                    f'{statistics.median(apart):.2f}.')


main()
