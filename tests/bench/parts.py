#!/usr/bin/env python3
"""Where a judge's seconds went: a table of what RIDGELINE_METRICS had written.

  parts.py FILE [--last N] [--request TEXT]

Of the last N requests (all), those that contain TEXT ("judge "): milliseconds a request, how often, and microseconds each
time. Parts lie within one another."""
import argparse, collections, json


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('file')
    parser.add_argument('--last', type=int, default=0)
    parser.add_argument('--request', default='judge ')
    options = parser.parse_args()
    requests = [line for line in map(json.loads, open(options.file)) if options.request in line['request']][-options.last:]
    if not requests: raise SystemExit(f'{options.file}: nothing there of "{options.request}"')
    sums = collections.defaultdict(lambda: [0, 0])
    for request in requests:
        for name, (seconds, count) in request['parts'].items():
            sums[name][0] += seconds
            sums[name][1] += count
    whole = sum(request['seconds'] for request in requests)
    print(f'{len(requests)} requests, {1e3 * whole / len(requests):.1f} ms each')
    for name, (seconds, count) in sorted(sums.items(), key=lambda item: -item[1][0]):
        print(f'  {name:26}{1e3 * seconds / len(requests):10.2f} ms{count / len(requests):9.1f} times{1e6 * seconds / count:11.0f} us')


main()
