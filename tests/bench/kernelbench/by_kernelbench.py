#!/usr/bin/env python3
"""What KernelBench's own evaluator says of answers, and how long it takes.

  by_kernelbench.py --clone KERNELBENCH --answers FILE.jsonl --out RESULTS.jsonl [--work DIR] [--seconds 400]
                    [--batch 16] [--build-only] [--builders 20] [--together 1] [--limit 180] [--correct-trials 5]
                    [--perf-trials 100]

An answer is {"id", "task": "level1/17", "language": "torch" or "triton", "source"}. Each is built beside others into a
cache of its own, as KernelBench's compile.py does, and then evaluated in a fresh process that loads from that cache, as
its scripts/eval_from_generations.py does with its defaults (five trials of correctness, a hundred of time, CUDA events,
fp32, 180 seconds). Evaluations run one at a time and while nothing is built: a batch is built, then evaluated, then
comes the next.

Nothing new is started after SECONDS, and what runs then ends within LIMIT. The next run goes on: an answer in RESULTS is
done, and what DIR holds whole is not built again. With --build-only nothing is evaluated: while something else is done
on that machine, so the seconds of those builds are marked as `beside` others' work. An answer whose build failed is not evaluated, since that would build
it once more and fail alike. Needs a GPU, nvcc, ninja, and in Python pydantic, requests, tqdm and setuptools."""
import argparse, concurrent.futures, hashlib, importlib.util, json, os, shutil, signal, subprocess, sys, tempfile, time

import evaluator, records

EVALUATOR = os.path.abspath(evaluator.__file__)
MODULES = 'torch numpy pydantic requests tqdm setuptools'.split()
PROGRAMS = 'ninja nvcc c++'.split()


def folder(options, answer):
    key = hashlib.sha256((answer['id'] + '\0' + answer['source']).encode()).hexdigest()[:16]
    return os.path.join(options.work, key)


def ask(options, what, answer, limit):
    """One process of the evaluator: what it found, or why nothing, and its seconds from start to end."""
    place = folder(options, answer)
    result = f'{place}/{what}.json'
    trials = {'num_correct_trials': options.correct_trials, 'num_perf_trials': options.perf_trials}
    command = [sys.executable, options.evaluator, what, options.clone, f'{place}/build', result, json.dumps(trials)]
    # Triton's cache is the answer's own too.
    environment = {**os.environ, 'TRITON_CACHE_DIR': f'{place}/triton'}
    begin = time.monotonic()
    with open(f'{place}/{what}.log', 'w') as log:
        child = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=log, stderr=log, env=environment,
                                 start_new_session=True)
        try: child.communicate(json.dumps(answer).encode(), timeout=limit)
        except subprocess.TimeoutExpired: return {'error': f'longer than {limit} s'}, time.monotonic() - begin
        finally:
            # What it started itself goes with it: compilers, and whatever an answer left behind.
            try: os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError: pass
            child.wait()
    seconds = time.monotonic() - begin
    if os.path.exists(result): return json.load(open(result)), seconds
    last = open(f'{place}/{what}.log', errors='replace').read().strip()[-400:]
    return {'error': f'the evaluator ended with {child.returncode} and told nothing: {last}'}, seconds


def build(options, answer):
    """Triton compiles when it is called: there is nothing to build."""
    place = folder(options, answer)
    if answer['language'] == 'triton':
        os.makedirs(place, exist_ok=True)
        return {'built': True, 'build_seconds': 0.0}
    if os.path.exists(f'{place}/build.json'): return json.load(open(f'{place}/build.json'))
    if time.monotonic() > options.end: return None
    shutil.rmtree(place, ignore_errors=True)  # a build that was killed leaves a lock that the next would wait for
    os.makedirs(f'{place}/build')
    found, seconds = ask(options, 'build', answer, options.limit)
    found['beside'] = options.build_only
    if 'built' not in found: found = {'built': False, 'build_seconds': seconds, **found}
    if not found['built'] and found['error']:
        log = open(f'{place}/build.log', errors='replace').read()
        if 'error:' in log and 'error:' not in found['error']: found['error'] = evaluator.error_text(log)
    # What failed beside others' work may have been short of time, and is built again.
    if found['built'] or not options.build_only:
        with open(f'{place}/build.json', 'w') as out: json.dump(found, out)
    error = '' if found['built'] else found['error'][:100]
    # Its own newline: builders print beside each other.
    print(f'built   {found["build_seconds"]:6.1f} s {answer["id"]} {error}\n', end='', flush=True)
    return found


def evaluate(options, answer, built):
    about = {'id': answer['id'], 'task': answer['task'], 'language': answer['language'],
             'build_seconds': built['build_seconds'], 'built_beside': bool(built.get('beside')),
             'eval_seconds': None, 'alone_seconds': None,
             'compiled': False, 'correct': False, 'runtime': None, 'ref_runtime': None, 'excessive': False,
             'evaluated_beside': options.together > 1}
    if not built['built']: return {**about, 'error': built['error'][:500]}
    found, seconds = ask(options, 'evaluate', answer, options.limit)
    return {**about, 'eval_seconds': seconds, **found, 'error': found['error'][:500]}


def check_tools():
    """Before anything is judged: what is missing would be told as an error of each answer."""
    missing = [name for name in MODULES if not importlib.util.find_spec(name)]
    missing += [name for name in PROGRAMS if not shutil.which(name)]
    if missing: raise SystemExit(f'{sys.executable} does not find {", ".join(missing)}')


def main():
    parser = argparse.ArgumentParser(description=__doc__.split('\n')[0])
    parser.add_argument('--clone', required=True), parser.add_argument('--answers', required=True)
    parser.add_argument('--out', required=True), parser.add_argument('--work')
    parser.add_argument('--seconds', type=float, default=400), parser.add_argument('--batch', type=int, default=16)
    parser.add_argument('--build-only', action='store_true')
    parser.add_argument('--builders', type=int, default=20, help="KernelBench's num_cpu_workers")
    parser.add_argument('--together', type=int, default=1, help='evaluations beside each other')
    parser.add_argument('--limit', type=float, default=180, help='seconds of one build, and of one evaluation')
    parser.add_argument('--correct-trials', type=int, default=5)
    parser.add_argument('--perf-trials', type=int, default=100)
    parser.add_argument('--evaluator', default=EVALUATOR, help='another program of the same arguments, to try this one')
    options = parser.parse_args()
    options.work = os.path.abspath(options.work or os.path.join(tempfile.gettempdir(), 'by_kernelbench'))
    options.clone = os.path.abspath(options.clone)
    if options.evaluator == EVALUATOR: check_tools()
    begin = time.monotonic()
    options.end = begin + options.seconds
    waiting = records.left(options.answers, options.out)
    done, building, evaluating = 0, 0.0, 0.0
    while waiting and time.monotonic() < options.end:
        batch, waiting = waiting[:options.batch], waiting[options.batch:]
        start = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(options.builders) as builders:
            built = list(builders.map(lambda answer: build(options, answer), batch))
        building += time.monotonic() - start
        if options.build_only: continue
        start = time.monotonic()

        def one(answer, how):
            if not how or time.monotonic() > options.end: return None
            return evaluate(options, answer, how)

        with concurrent.futures.ThreadPoolExecutor(options.together) as evaluators:
            asked = {evaluators.submit(one, answer, how): answer for answer, how in zip(batch, built)}
            for ended in concurrent.futures.as_completed(asked):  # kept as they come: the next run goes on from there
                answer, result = asked[ended], ended.result()
                if not result:
                    waiting.append(answer)
                    continue
                records.append(options.out, result)
                done += 1
                print(f'{"correct" if result["correct"] else "wrong":8}{result["eval_seconds"] or 0:6.1f} s '
                      f'{answer["id"]} {result["error"][:100]}', flush=True)
        evaluating += time.monotonic() - start
    wall = time.monotonic() - begin
    print(f'{done} answers in {wall:.0f} s, {60 * done / wall if wall else 0:.1f} a minute: {building:.0f} s of building '
          f'beside each other, {evaluating:.0f} s of evaluating; {len(waiting)} answers left')


main()
