"""Phones that follow an event and keep what they have seen, people who report, and a hand that asks as fast as it can."""

import asyncio
import random
import re
import statistics
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import aiohttp

DONE = re.compile(rb'<progress value="(\d+)"')
PATIENCE = aiohttp.ClientTimeout(total=30)


def percentile(times: Sequence[float], percent: float) -> float:
    """Milliseconds below which so many of the times lie; 0 of none."""
    ordered = sorted(times)
    return 1000 * ordered[min(len(ordered) - 1, int(len(ordered) * percent / 100))] if ordered else 0.0


@dataclass(slots=True)
class Tournament:
    """What was seen: seconds of each answer, how it was answered, when a result was taken, of which match, and when it stood on a screen."""

    polls: list[float] = field(default_factory=list)
    reports: list[float] = field(default_factory=list)
    answers: Counter[str] = field(default_factory=Counter)
    bytes_sent: int = 0
    begun_with: int = 0
    taken: list[float] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    matches: list[str] = field(default_factory=list)


async def follow(
    session: aiohttp.ClientSession,
    url: str,
    interval: float,
    deadline: float,
    tournament: Tournament,
    rng: random.Random,
) -> None:
    """One phone: it asks every so many seconds and shows its copy while that is right."""
    tag, seen_count = "", 0
    await asyncio.sleep(rng.random() * interval)
    while time.monotonic() < deadline:
        start = time.monotonic()
        headers = {"Accept-Encoding": "gzip", "X-Requested-With": "live"}
        if tag:
            headers["If-None-Match"] = tag
        try:
            async with session.get(url, headers=headers) as answer:
                body = await answer.read()
                tag = answer.headers.get("ETag", tag)
                tournament.answers[f"poll {answer.status}"] += 1
                tournament.bytes_sent += int(answer.headers.get("Content-Length", len(body)))
        except (aiohttp.ClientError, TimeoutError) as error:
            tournament.answers[f"poll {type(error).__name__}"] += 1
        else:
            now = time.monotonic()
            tournament.polls.append(now - start)
            if match := DONE.search(body):
                shown_count = int(match[1]) - tournament.begun_with
                # How long each result that is new on this screen had been taken.
                tournament.delays += (
                    [now - taken_at for taken_at in tournament.taken[max(seen_count, 0) : shown_count]]
                    if seen_count >= 0
                    else []
                )
                seen_count = max(seen_count, shown_count)
        await asyncio.sleep(max(0.0, interval - (time.monotonic() - start)))


async def report(
    session: aiohttp.ClientSession,
    site: str,
    reports: Sequence[Mapping[str, object]],
    interval: float,
    deadline: float,
    tournament: Tournament,
) -> int:
    """Results by personal link, one after the other; how many were taken."""
    pending: set[asyncio.Task[None]] = set()

    async def one(result: Mapping[str, object]) -> None:
        body = {"score_a": result["a"], "score_b": result["b"], "submission_key": f"load-{result['match']}"}
        start = time.monotonic()
        try:
            async with session.post(
                f"{site}/api/v1/matches/{result['match']}/report/",
                json=body,
                headers={"Authorization": f"Link {result['token']}"},
            ) as answer:
                await answer.read()
                tournament.answers[f"report {answer.status}"] += 1
                if answer.status in (200, 201):
                    tournament.taken.append(time.monotonic())
                    tournament.matches.append(str(result["match"]))
        except (aiohttp.ClientError, TimeoutError) as error:
            tournament.answers[f"report {type(error).__name__}"] += 1
        tournament.reports.append(time.monotonic() - start)

    for result in reports:
        if time.monotonic() > deadline:
            break
        task = asyncio.create_task(one(result))
        pending.add(task)
        task.add_done_callback(pending.discard)
        await asyncio.sleep(interval)
    await asyncio.gather(*pending)
    return len(tournament.taken)


async def a_tournament(
    site: str,
    path: str,
    reports: Sequence[Mapping[str, object]],
    *,
    phones: int,
    seconds: float,
    interval: float,
    a_minute: float,
) -> Tournament:
    """So many phones on one page, and reports meanwhile."""
    tournament, rng = Tournament(), random.Random(phones)
    connector = aiohttp.TCPConnector(limit=0, keepalive_timeout=60)
    async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE, auto_decompress=True) as session:
        async with session.get(site + path) as answer:
            match = DONE.search(await answer.read())
            tournament.begun_with = int(match[1]) if match else 0
        deadline = time.monotonic() + seconds
        phone_tasks = [
            asyncio.create_task(follow(session, site + path, interval, deadline, tournament, rng))
            for _ in range(phones)
        ]
        await report(session, site, reports, 60 / a_minute, deadline - interval, tournament)
        await asyncio.gather(*phone_tasks)
    return tournament


async def as_fast_as_possible(
    url: str, headers: Mapping[str, str], *, connections: int, seconds: float, status: int
) -> tuple[int, float]:
    """Answers in so many seconds over so many connections that are kept; any other status is an error. Answers, seconds."""
    count = 0
    connector = aiohttp.TCPConnector(limit=connections)
    async with aiohttp.ClientSession(connector=connector, timeout=PATIENCE, auto_decompress=False) as session:
        start = time.monotonic()

        async def hand() -> None:
            nonlocal count
            while time.monotonic() - start < seconds:
                async with session.get(url, headers=headers) as answer:
                    await answer.read()
                    if answer.status != status:
                        raise RuntimeError(f"{url}: {answer.status} instead of {status}")
                count += 1

        await asyncio.gather(*(hand() for _ in range(connections)))
        return count, time.monotonic() - start


async def tag_of(url: str, headers: Mapping[str, str]) -> str:
    async with (
        aiohttp.ClientSession(timeout=PATIENCE) as session,
        session.get(url, headers=headers) as answer,
    ):
        await answer.read()
        return answer.headers.get("ETag", "")


def median(times: Sequence[float]) -> float:
    return statistics.median(times) if times else 0.0
