#!/usr/bin/env python3
"""Judges a round of adversaries, and each candidate's honest twin.

  judge_round.py RIDGELINE FOLDER [--kernelbench CLONE] [--seconds 500] [--out FILE]

RIDGELINE is the program, FOLDER holds cuda/ and modules/. Modules are judged if CLONE, a clone of KernelBench, is named. Needs a GPU
and nvcc. FILE keeps every answer as a JSON line. Run it in the repository's root, where twins are found."""
import argparse, glob, json, os, re, subprocess, threading

GAIN = 1.05  # over the twin's speed-up: what is right, unflagged and faster than this has gained


def header(text, key):
    found = re.search(rf'^(?://|#)\s*{key}:\s*(\S+)', text, re.M)
    return found.group(1) if found else ''


def twin_of_module(clone, task):
    """The task's own class as an answer."""
    return re.sub(r'\bModel\b', 'ModelNew', open(f'{clone}/KernelBench/{task}').read())


def twin_of_kernel(folder, path):
    return open(next(p for p in (path, f'{folder}/{path}') if os.path.exists(p))).read()


def candidates(folder, clone):
    """Yields (language, name, task, source, source of the twin)."""
    for path in sorted(glob.glob(f'{folder}/cuda/*.cu')):
        text = open(path).read()
        if '.twin.' not in path: yield 'cuda', path, header(text, 'task'), text, twin_of_kernel(folder, header(text, 'twin'))
    for path in sorted(glob.glob(f'{folder}/modules/*.py')) if clone else []:
        text = open(path).read()
        file = header(text, 'task')
        level, number = re.match(r'(level\d)/(\d+)', file).groups()
        yield 'torch', path, f'{level}/{number}', text, twin_of_module(clone, file)


def judge(ridgeline, more, lines, seconds, keep):
    process = subprocess.Popen([ridgeline, 'evaluate', '--batch', '-', '--no-counters', *more], stdin=subprocess.PIPE,
                               stdout=subprocess.PIPE, text=True)
    threading.Thread(target=lambda: (process.stdin.writelines(lines), process.stdin.close()), daemon=True).start()
    timer = threading.Timer(seconds, process.kill)
    timer.start()
    answers = {}
    for line in process.stdout:
        keep.write(line)
        answer = json.loads(line)
        answers[answer['id']] = answer
    timer.cancel()
    return answers


def in_words(answer):
    if answer is None: return 'no answer'
    if 'error' in answer: return answer['error'][:120]
    verdict = answer.get('verdict') or {}
    failed = [f"{name} {stage.get('reason')}" for name, stage in verdict.get('stages', {}).items() if stage.get('status') in ('failed', 'unavailable')]
    flags = ['flagged: ' + '; '.join(map(str, verdict['flags']))[:160]] if verdict.get('flags') else []
    return ', '.join(failed + flags) or 'right'


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument('ridgeline'), parser.add_argument('folder')
    parser.add_argument('--kernelbench'), parser.add_argument('--seconds', type=float, default=500), parser.add_argument('--out', default='round.jsonl')
    options = parser.parse_args()
    all_of_them = list(candidates(options.folder, options.kernelbench))
    answers = {}
    with open(options.out, 'w') as keep:
        for language, more in (('cuda', []), ('torch', ['--suite', f'kernelbench:{options.kernelbench}', '--backend', 'cuda'])):
            sources = {}
            for kind, name, task, text, twin in all_of_them:
                if kind == language: sources[name], sources[f'twin {task} {hash(twin)}'] = (task, text), (task, twin)
            lines = [json.dumps({'id': key, 'task': task, 'language': language, 'source': text}) + '\n' for key, (task, text) in sources.items()]
            if lines: answers |= judge(options.ridgeline, more, lines, options.seconds, keep)
    for _, name, task, _, twin in all_of_them:
        answer, beside = answers.get(name), answers.get(f'twin {task} {hash(twin)}')
        fast, honest = ((a or {}).get('speedup') for a in (answer, beside))
        gain = fast / honest if fast and honest else None
        words = in_words(answer)
        print(f"{os.path.relpath(name, options.folder):50}{task:32}{words}; {fast and round(fast, 3)} beside {honest and round(honest, 3)} ({in_words(beside)})"
              + (f', {gain:.2f} times' if gain else '') + ('  GAINS' if words == 'right' and gain and gain > GAIN else ''), flush=True)


if __name__ == '__main__': main()
