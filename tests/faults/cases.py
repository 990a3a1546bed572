"""The table of cases: a fault, how many requests it falls on, and the class of outcome.

`endpoint` faults make two or three cases each (once, thrice, forever until healed), `own`, `answer` and
`fine` ones two (one call, and every call), `account` ones one (until repaired).
"""

from dataclasses import dataclass, field
from typing import Callable, Optional

from outcomes import Fine, Paused, Result, Retried


@dataclass
class Context:
    """What a fault may use to build its steps."""

    provider: object
    request: object
    prompt: object
    answer: object  # the good one
    streamed: bool
    other_port: int  # of a server that must get no key


@dataclass(frozen=True)
class Case:
    name: str
    fault: Optional[Callable]  # Context -> steps; None: connections are refused
    outcome: object
    times: Optional[int] = 1  # faulty requests; None: until healed
    at: int = 0  # the first of them
    streamed: bool = True
    model: object = field(
        default_factory=dict
    )  # changes of the entry, or a function of provider and port to them
    on_connect: bool = False  # the fault falls on connections, before anything is read
    by_provider: dict = field(default_factory=dict)  # name -> outcome; None: no such case there
    limit: float = 30.0  # seconds that a run may take

    def outcome_for(self, provider):
        return self.by_provider.get(provider.name, self.outcome)

    def applies_to(self, provider):
        return self.outcome_for(provider) is not None


ALL = {}


def add(case):
    if case.name in ALL:
        raise ValueError(f"two cases are named {case.name}")
    ALL[case.name] = case


def per(by_provider, make):
    return {name: (None if status is None else make(status)) for name, status in by_provider.items()}


def endpoint(
    name, fault, status, thrice=False, forever=True, by=None, sent=None, slack=0, seconds=None, **others
):
    """The endpoint is in trouble: it is asked again, and waited for until patience ends in a pause."""
    by = by or {}

    def retried(what):
        return Retried(what, sent=sent, slack=slack, seconds=seconds)

    add(Case(f"{name}/once", fault, retried(status), by_provider=per(by, retried), **others))
    if thrice:
        add(Case(f"{name}/thrice", fault, retried(status), times=3, by_provider=per(by, retried), **others))
    if forever:
        add(
            Case(
                f"{name}/forever",
                fault,
                Paused(status, sent=sent, seconds=seconds),
                times=None,
                by_provider=per(by, lambda what: Paused(what, sent=sent, seconds=seconds)),
                **others,
            )
        )


def answer(name, fault, status="empty", by=None, **others):
    """The model gave nothing of use: another try may, and after all tries it is the call's result."""
    add(Case(f"{name}/once", fault, Retried(status), by_provider=by or {}, **others))
    add(
        Case(f"{name}/every call", fault, Result(status, again=1), times=None, by_provider=by or {}, **others)
    )


def account(name, fault, status, by=None, says=(), **others):
    """What somebody has to repair: every call would fail alike."""

    def paused(what):
        return Paused(what, at_once=True, says=says)

    add(
        Case(
            f"{name}/{'later' if others.get('at') else 'at first'}",
            fault,
            paused(status),
            times=None,
            by_provider=per(by or {}, paused),
            **others,
        )
    )


def own(name, fault, status, by=None, again=0, every=True, **others):
    """The request's own failure, which is its result."""

    def result(what):
        return Result(what, again=again)

    add(
        Case(
            f"{name}/second call",
            fault,
            result(status),
            times=1 + again,
            at=1,
            by_provider=per(by or {}, result),
            **others,
        )
    )
    if every:
        add(
            Case(
                f"{name}/every call",
                fault,
                result(status),
                times=None,
                by_provider=per(by or {}, result),
                **others,
            )
        )


def fine(
    name, fault, by=None, status="answered", text=None, texts=None, slack=0, torn=False, every=True, **others
):
    """Odd, but an answer."""
    outcome = Fine(status, text=text, texts=texts, slack=slack, torn=torn)
    add(Case(f"{name}/second call", fault, outcome, at=1, by_provider=by or {}, **others))
    if every:
        add(Case(f"{name}/every call", fault, outcome, times=None, by_provider=by or {}, **others))


def load():
    """Every case by name. The modules of cases add theirs when they are read."""
    import cases_answer  # noqa: E401, F401
    import cases_connection
    import cases_ending
    import cases_events
    import cases_http  # noqa: E401, F401
    import cases_key
    import cases_status
    import cases_stream

    return ALL
