"""What a random schedule is, the campaign that it disturbs, and that campaign undisturbed."""

import collections
import random
from dataclasses import dataclass

import campaign
import check
from market import PRICES, Market, usd
from providers import PROVIDERS

LIFE_SECONDS = 60  # that a run of the program may take
MAX_OUTPUT = 500
STRATEGIES = [
    {"preset": "best_of_n", "settings": {"n": 3}},
    {"preset": "iterative_g_e", "settings": {"rounds": 4}},
    {"preset": "geak", "settings": {"rounds": 3}},
]
TASKS, SEEDS = ("relu", "sigmoid"), [0, 1]  # with the strategies: twelve trajectories


@dataclass(frozen=True)
class Event:
    at: float
    what: str  # "kill", "interrupt", "worker" (killed), "cut", or an outage: "refuse", "503", "stall"
    seconds: float = 0.0  # of an outage


@dataclass(frozen=True)
class Schedule:
    provider: str
    events: tuple
    # "none"; of money "tight" (just above what is needed) or "low" (below it); "tokens": of tokens, below it
    cap: str


def draw_schedule(seed, number):
    rng = random.Random(f"{seed}/{number}")
    events = []
    for _ in range(rng.randint(3, 8)):
        what = rng.choice(("kill", "kill", "kill", "interrupt", "worker", "cut", "refuse", "503", "stall"))
        events.append(Event(rng.uniform(0.1, 7.0), what, rng.uniform(0.2, 2.5)))
    return Schedule(
        list(PROVIDERS)[number % len(PROVIDERS)],
        tuple(sorted(events, key=lambda event: event.at)),
        rng.choice(("none", "none", "tight", "low", "tokens")),
    )


def write_campaign(folder, market, unit="usd", cap=None):
    entry = campaign.model_entry(
        market.provider,
        market.server.port,
        prices=PRICES,
        max_output_tokens=MAX_OUTPUT,
        patience={"seconds": 1.0, "longest_pause": 0.2},
        timeouts={"first_byte": 5, "between_bytes": 5, "total": 20},
        retries={"attempts": 3, "base": 0.02, "cap": 0.1, "longest": 5},
        limits={"concurrency": 4},
    )
    others = {"budget": {"total": {unit: cap}}} if cap is not None else {}
    return campaign.write(
        folder,
        {"m": entry},
        STRATEGIES,
        tasks=TASKS,
        worker=campaign.worker_that_answers_at_once(),
        seeds=SEEDS,
        **others,
    )


@dataclass
class Reference:
    """An undisturbed run: its answers by address, how often each prompt was sold, what all of it cost."""

    answers: dict
    sold: collections.Counter
    need: dict
    dearest: dict  # the most that one call may cost


def spent(sales):
    return {
        "usd": usd(sum(sale.picodollars for sale in sales)),
        "tokens": sum(sale.tokens_in + sale.tokens_out for sale in sales),
    }


def first_cap(kind, reference, rng):
    """Its unit and the cap; None for none."""
    unit = "tokens" if kind == "tokens" else "usd"
    need, dearest = reference.need[unit], reference.dearest[unit]
    if kind == "none":
        return unit, None
    cap = need + 1.05 * dearest if kind == "tight" else rng.uniform(0.3, 0.8) * need + dearest
    return unit, int(cap) if unit == "tokens" else cap


def answers_of(store):
    return {ask.address: (ask.status, ask.llm_status, ask.text) for ask in store.asks()}


def reference_run(program, provider, folder):
    market = Market(provider, 0, lambda: 0.0)
    try:
        run = campaign.run(program, ["run", str(write_campaign(folder, market))], folder, LIFE_SECONDS)
        if run.exit != 0:
            raise RuntimeError(f"the undisturbed run ended with status {run.exit}: {run.stderr[-500:]}")
        store = check.Store(folder / "faults.db")
        answers = answers_of(store)
        prompts = max(len(ask.prompt.encode()) for ask in store.asks())
        store.close()
        sold = [sale for _, sale in market.sold]
        dearest = {
            "usd": ((prompts + 200) * PRICES["input"] + MAX_OUTPUT * PRICES["output"]) / 1e6,
            "tokens": prompts + 200 + MAX_OUTPUT,
        }
        return Reference(answers, collections.Counter(sale.identity for sale in sold), spent(sold), dearest)
    finally:
        market.stop()
