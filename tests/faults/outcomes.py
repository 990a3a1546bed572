"""What must have happened, said once for each class of case.

An outcome looks at an `Observation` and returns what is wrong with it, as lines; none means that it passed.
"""

from dataclasses import dataclass, field

PAUSED = 4  # the exit status of a campaign that waits for somebody, or for an endpoint


@dataclass
class Phase:
    """One run of the program and what the store held after it."""

    run: object
    requests: int  # that came to the server while it ran
    connections: int
    asks: list = field(default_factory=list)
    states: list = field(default_factory=list)
    failed_attempts: list = None  # names of their statuses so far; None: the store does not keep them
    command: list = field(default_factory=list)


@dataclass
class Observation:
    case: object
    calls: int  # of the campaign
    good_text: str  # what every undisturbed call answers: their prompts are one
    phases: list
    gaps: list  # seconds between a request's arrival and the one before it


def counted(what, got, least, most):
    if least <= got <= most:
        return []
    wanted = f"{least}" if least == most else f"{least} to {most}"
    return [f"{what}: {got}, expected {wanted}"]


def exited(phase, wanted):
    if phase.run.exit == wanted:
        return []
    last = phase.run.stderr.strip().split("\n")[-1][:300]
    return [f"exit status {phase.run.exit}, expected {wanted}; stderr ends: {last}"]


def all_answered(phase, calls, texts, status="answered"):
    problems = counted("asks in the store", len(phase.asks), calls, calls)
    for ask in phase.asks:
        slot = f"slot {ask.address[-1]}"
        if ask.llm_status != status:
            problems.append(f"{slot}: {ask.llm_status or ask.status}, expected {status} ({ask.detail[:200]})")
        elif ask.text not in texts:
            problems.append(f"{slot}: another text than the server's: {ask.text[:120]!r}")
    return problems


class Outcome:
    """`status`: the store's name for what the client makes of it. `slack`: requests beyond the exact number
    that are right too. `seconds`: the most that the first run may take. `gap`: least and most seconds between
    the faulty request and the next."""

    needs_healing = False

    def __init__(self, status="answered", slack=0, seconds=None, gap=None, text=None, texts=None):
        self.status, self.slack, self.seconds, self.gap = status, slack, seconds, gap
        self.texts = texts or ((lambda good: [text(good)]) if text else (lambda good: [good]))

    def faulty(self, seen):
        """How many requests of an undisturbed order of calls fall on the fault."""
        case = seen.case
        last = seen.calls if case.times is None else min(seen.calls, case.at + case.times)
        return max(0, last - case.at)

    def check(self, seen):
        """What is wrong, as lines."""
        problems = self.check_kind(seen)
        took = seen.phases[0].run.seconds
        if self.seconds is not None and took > self.seconds:
            problems.append(f"it took {took:.1f} s, expected at most {self.seconds} s")
        if self.gap is not None:
            waited = seen.gaps[seen.case.at] if len(seen.gaps) > seen.case.at else -1.0
            if not self.gap[0] <= waited <= self.gap[1]:
                problems.append(
                    f"asked again after {waited:.2f} s, expected {self.gap[0]} to {self.gap[1]} s"
                )
        for ask in seen.phases[-1].asks:
            if min(ask.usd, ask.input_tokens, ask.output_tokens) < 0:
                problems.append(
                    f"slot {ask.address[-1]} is credited: {ask.usd} USD,"
                    f" {ask.input_tokens} + {ask.output_tokens} tokens"
                )
        return problems

    def check_kind(self, seen):
        raise NotImplementedError

    def attempts(self, phase, least, most):
        if phase.failed_attempts is None:
            return ["the store has no table failed_attempts"]
        problems = counted("failed attempts in the store", len(phase.failed_attempts), least, most)
        odd = sorted({status for status in phase.failed_attempts if status not in self.statuses()})
        return problems + (
            [f"failed attempts with status {', '.join(odd)}, expected {self.status}"] if odd else []
        )

    def statuses(self):
        return self.status if isinstance(self.status, tuple) else (self.status,)


class Fine(Outcome):
    """Odd, but an answer: taken as it is, by one request. `torn`: a request that met a kept connection's end
    may have been read, so it counts as a failed attempt."""

    def __init__(self, status="answered", torn=False, **others):
        super().__init__(status, **others)
        self.torn = torn

    def statuses(self):
        return ("connection_failed",)

    def check_kind(self, seen):
        phase = seen.phases[0]
        problems = exited(phase, 0)
        problems += counted("requests", phase.requests, seen.calls, seen.calls + self.slack)
        odd, good = self.texts(seen.good_text), [seen.good_text]
        problems += counted("asks in the store", len(phase.asks), seen.calls, seen.calls)
        for ask in phase.asks:
            slot = ask.address[-1]
            touched = seen.case.at <= slot and (
                seen.case.times is None or slot < seen.case.at + seen.case.times
            )
            problems += all_answered(
                Phase(phase.run, 0, 0, [ask]),
                1,
                odd if touched else good,
                self.status if touched else "answered",
            )
        return problems + self.attempts(phase, 0, self.faulty(seen) if self.torn else 0)


class Retried(Outcome):
    """The endpoint's failure: asked again until it answers; nothing of it reaches the strategy."""

    def __init__(self, status, sent=None, **others):
        super().__init__(status, **others)
        self.sent = sent  # False: the faulty attempts never became requests

    def check_kind(self, seen):
        phase, times = seen.phases[0], seen.case.times
        least = seen.calls + (0 if self.sent is False else times)
        problems = exited(phase, 0)
        problems += counted("requests", phase.requests, least, least + self.slack)
        problems += all_answered(phase, seen.calls, [seen.good_text])
        return problems + self.attempts(
            phase, 1 if self.sent is False else times, 400 if self.sent is False else times
        )


class Result(Outcome):
    """This call's own failure: recorded as its result and not asked again; the others are answered.
    `again`: how often one is asked again before it counts."""

    def __init__(self, status, again=0, **others):
        super().__init__(status, **others)
        self.again = again

    def check_kind(self, seen):
        phase = seen.phases[0]
        failing = self.faulty(seen)
        if self.again and seen.case.times is not None:
            failing = seen.case.times // (self.again + 1)
        problems = exited(phase, 0)
        requests = seen.calls + (failing * self.again)
        problems += counted("requests", phase.requests, requests, requests + self.slack)
        problems += counted("asks in the store", len(phase.asks), seen.calls, seen.calls)
        failed = [ask for ask in phase.asks if ask.status == "model_failed"]
        problems += counted("calls that failed", len(failed), failing, failing)
        problems += [
            f"slot {ask.address[-1]} failed as {ask.llm_status}, expected {self.status} ({ask.detail[:200]})"
            for ask in failed
            if ask.llm_status not in self.statuses()
        ]
        problems += [f"slot {ask.address[-1]} failed without a reason" for ask in failed if not ask.detail]
        problems += self.attempts(phase, failing * self.again, failing * self.again)
        whole = [ask for ask in phase.asks if ask.status != "model_failed"]
        return problems + all_answered(Phase(phase.run, 0, 0, whole), len(whole), [seen.good_text])


class Paused(Outcome):
    """The campaign pauses with a reason and a command that goes on with it; `healed`, it ends as if nothing
    had been. `at_once`: what no waiting repairs (a refused key). Otherwise the endpoint was asked until
    patience ended."""

    def __init__(self, status, at_once=False, sent=None, says=(), least=2, most=60, healed=True, **others):
        super().__init__(status, **others)
        self.needs_healing = healed
        self.at_once, self.sent, self.says = at_once, sent, says
        self.least, self.most = least, most

    def check_kind(self, seen):
        first, at = seen.phases[0], seen.case.at
        problems = exited(first, PAUSED)
        if self.sent is False:
            problems += counted("requests", first.requests, 0, 0)
        elif self.at_once:
            problems += counted("requests", first.requests, at + 1, at + 1 + self.slack)
        else:
            problems += counted("requests", first.requests, at + self.least, at + self.most)
        problems += counted("asks in the store at the pause", len(first.asks), at, at)
        if not first.command:
            problems.append("stderr has no `Go on with: ridgeline run ...`")
        problems += [f"stderr does not say {word!r}" for word in self.says if word not in first.run.stderr]
        odd = [state for state in first.states if state not in ("incomplete", "pending")]
        problems += [f"the trajectory rests as {state}, expected incomplete" for state in odd]
        problems += self.attempts(first, 1, 400)
        if not self.needs_healing:
            return problems
        if problems or len(seen.phases) < 2:
            return problems + ([] if len(seen.phases) > 1 else ["it was not gone on with"])
        second = seen.phases[1]
        problems = [
            f"after the repair: {problem}"
            for problem in exited(second, 0)
            + counted("requests", second.requests, seen.calls - at, seen.calls - at)
            + all_answered(second, seen.calls, [seen.good_text])
        ]
        return problems


class RefusedInput(Outcome):
    """Bad input: exit status 2 before anything is asked."""

    def check_kind(self, seen):
        return exited(seen.phases[0], 2) + counted("requests", seen.phases[0].requests, 0, 0)
