"""Numbers of finished and of all matches of stages, cached by what changes them."""

from collections.abc import Collection, Iterable

from people import versions
from people.caching import get_or_compute_many
from people.versions import versions_of
from tournaments.models import Stage
from tournaments.selectors.draws import load_draws

PLAYED_CACHE_SECONDS = 24 * 3600


def match_counts_in(stages: Iterable[Stage]) -> tuple[int, int]:
    """Return the sums of ``Draw.played`` over stages, cached; ``division`` must be fetched with them."""
    by_pk = {stage.pk: stage for stage in stages}

    def counted(missing_ids: list[int]) -> dict[int, tuple[int, int]]:
        return {pk: draw.played() for pk, draw in load_draws(by_pk[pk] for pk in missing_ids).items()}

    counts = get_or_compute_many(
        "played", stage_versions(by_pk.values()), PLAYED_CACHE_SECONDS, counted
    ).values()
    return sum(over_count for over_count, _total in counts), sum(
        match_count for _over_count, match_count in counts
    )


def stage_versions(stages: Collection[Stage]) -> dict[int, list[int]]:
    """Return cache keys that change with a stage's data, by stage id (``division`` fetched); one query."""
    topics = {
        stage.pk: (
            versions.division_topic(stage.division_id),
            versions.outline_topic(stage.division.event_id),
        )
        for stage in stages
    }
    all_topics = list(dict.fromkeys(topic for stage_topics in topics.values() for topic in stage_topics))
    version_by_topic = dict(zip(all_topics, versions_of(all_topics), strict=True))
    return {
        pk: [pk, *(version_by_topic[topic] for topic in stage_topics)] for pk, stage_topics in topics.items()
    }
