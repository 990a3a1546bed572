#!/usr/bin/env python3
"""Rules for timing two sides in turns, tried on an invented host that is slowed now and then: by how much do speed-ups differ?

  turns.py [TRIES]

A host changes between states, each a factor on what waits for it and a mean time until the next change. Both sides' calls do,
or the baseline's alone. `least` counts the rounds in which both sides are near their third least, four of them, in turns of
30 ms; `quotients` is engine/worker/judge/sampling/interleaved_rounds.cpp: the median over rounds of the quotients, in turns of 10 ms, until
that is known within 3 %. The true quotient is 1.1."""
import random, statistics, sys
from math import comb

HOSTS = {
    'quiet': [(1, 1)],
    'now and then': [(1, .5), (1.27, .1)],
    'half the time': [(1, .3), (1.27, .3)],
    'changing often': [(1, .1), (1.27, .1)],
    'quick now and then': [(1, .1), (1.27, .5)],
    'three states': [(1, .1), (1, .1), (1.25, .2), (1.25, .2), (1.8, .1)],
    'every 20 ms': [(1, .02), (1.3, .02)],
}
QUOTIENT, JITTER = 1.1, 0.01      # of the two sides; of a batch
WARM, BETWEEN, CAP = 1, 0.01, 1.5  # calls before a turn is timed; seconds of filling and looking; of all rounds


class Host:
    def __init__(self, states, source):
        self.states, self.source, self.now = states, source, 0.0
        self.change()

    def change_at(self, moment):
        now, self.now = self.now, moment
        self.change()
        self.now = now

    def change(self):
        self.factor, mean = self.source.choice(self.states)
        self.until = self.now + self.source.expovariate(1 / mean)

    def work(self, seconds, waits=True):
        """How long it takes here."""
        begin = self.now
        while waits and seconds * self.factor > self.until - self.now:
            seconds -= (self.until - self.now) / self.factor
            self.now = self.until
            self.change()
        self.now += seconds * (self.factor if waits else 1)
        while self.now > self.until: self.change_at(self.until)
        return self.now - begin

    def turn(self, call, timed, waits):
        """Seconds a call: a call to warm up, then pairs of batches until they took `timed` seconds."""
        self.work(BETWEEN + WARM * call)
        took = []
        while not took or 3 * sum(took) < timed:
            batch = lambda calls: self.work(calls * call * self.source.gauss(1, JITTER), waits)
            took.append((batch(1) + batch(2)) / 3)
            self.work(BETWEEN / 2)
        return statistics.mean(took)


def rounds(host, call, both, timed, enough):
    ours, theirs = [], []
    while not (enough(ours, theirs) or host.now > CAP and len(ours) >= 3):
        turns = [(ours, call, both), (theirs, QUOTIENT * call, True)]
        for side, seconds, waits in turns if len(ours) % 2 else turns[::-1]: side.append(host.turn(seconds, timed, waits))
    return ours, theirs


def level(took):
    return sorted(took)[min((len(took) + 1) // 2, 3) - 1]


def near(ours, theirs):
    """By how much each round is away from the levels of both sides."""
    away = lambda took: [max(one / level(took), level(took) / one) for one in took]
    return [max(pair) for pair in zip(away(ours), away(theirs))]


def least(host, call, both):
    ours, theirs = rounds(host, call, both, 0.03, lambda a, b: sum(one <= 1.05 for one in near(a, b)) >= 4)
    away = near(ours, theirs)
    kept = [i for i, one in enumerate(away) if one <= max(1.05, min(away))]
    return statistics.median(theirs[i] for i in kept) / statistics.median(ours[i] for i in kept)


def interval(values):
    """95 % of the median, from order statistics."""
    values, count, below, k = sorted(values), len(values), 0.0, 0
    while (below := below + comb(count, k) / 2 ** count) <= 0.025: k += 1
    return values[max(k - 1, 0)], values[count - max(k, 1)]


def quotients(host, call, both):
    of = lambda a, b: [their / our for our, their in zip(a, b)]
    def enough(a, b):
        if len(a) < 9: return False
        low, high = interval(of(a, b))
        return high <= 1.03 * low
    return statistics.median(of(*rounds(host, call, both, 0.01, enough)))


def main():
    tries = int(sys.argv[1]) if len(sys.argv) > 1 else 300
    print(f'{"slowed":14}{"calls of":>9}  {"host":20}' + ''.join(f'{rule.__name__ + ": median":>20}{"p95/p5":>8}{"seconds":>9}' for rule in (least, quotients)))
    for both in (True, False):
        for call in (0.0016, 0.006, 0.012):
            for name, states in HOSTS.items():
                print(f'{"both" if both else "baseline alone":14}{1e3 * call:6.1f} ms  {name:20}', end='')
                for rule in (least, quotients):
                    source, found, seconds = random.Random(1), [], []
                    for _ in range(tries):
                        host = Host(states, source)
                        found.append(rule(host, call, both)), seconds.append(host.now)
                    at = lambda share: sorted(found)[round(share * (tries - 1))]
                    print(f'{at(.5):20.3f}{at(.95) / at(.05):8.3f}{statistics.mean(seconds):9.2f}', end='', flush=True)
                print()


main()
