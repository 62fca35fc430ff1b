"""The quiz of an event in a bundle: chosen, excluded and published positions, with their addresses.

A position comes from an analysis, which has another row on this site if it was made here as well; so each
position finds its decision by game record, engine, game and turn.
"""

from collections.abc import Collection

from games.models import AnalysedDecision, RecordAnalysis, StoredRecord
from tournaments.bundles.services.taking import BundleLoader
from tournaments.models import Quiz, QuizAnswer, QuizPosition


def replace_quiz(loader: BundleLoader, events: Collection[int]) -> None:
    """Replace the quiz positions of these events by those of the bundle, as far as their analyses exist here.

    Of the counts of answers the larger one stays. Joins the caller's transaction.
    """
    if not loader.has_table(Quiz):
        return
    counts = {
        (position, choice): count
        for position, choice, count in QuizAnswer.objects.filter(
            position__quiz__event__in=events
        ).values_list("position_id", "choice", "count")
    }
    Quiz.objects.filter(event__in=events).delete()
    quizzes = {row["id"]: row for row in loader.row_dicts(Quiz) if row["event_id"] in events}
    rows = {row["id"]: row for row in loader.row_dicts(QuizPosition) if row["quiz_id"] in quizzes}
    decisions = _local_decisions(loader, {row["decision_id"] for row in rows.values()})
    kept_positions = {pk: row for pk, row in rows.items() if row["decision_id"] in decisions}
    Quiz.objects.bulk_create(
        Quiz(pk=pk, event_id=row["event_id"], is_open=bool(row["is_open"])) for pk, row in quizzes.items()
    )
    QuizPosition.objects.bulk_create(
        QuizPosition(
            pk=pk,
            public_id=row["public_id"],
            quiz_id=row["quiz_id"],
            match_id=row["match_id"],
            decision_id=decisions[row["decision_id"]],
            xgid=row["xgid"],
            left_out=bool(row["left_out"]),
        )
        for pk, row in kept_positions.items()
    )
    for row in loader.row_dicts(QuizAnswer):
        answer_key = (row["position_id"], row["choice"])
        counts[answer_key] = max(counts.get(answer_key, 0), row["count"])
    QuizAnswer.objects.bulk_create(
        QuizAnswer(position_id=position, choice=choice, count=count)
        for (position, choice), count in counts.items()
        if position in kept_positions
    )
    loader.numbers.update(quizzes)
    loader.numbers.update(kept_positions)


def _local_decisions(loader: BundleLoader, decision_ids: Collection[int]) -> dict[int, int]:
    """Return the ids of decisions on this site, keyed by their ids in the bundle.

    Decisions that do not exist here are left out.
    """
    if not decision_ids:
        return {}
    records = {row["id"]: row["sha256"] for row in loader.row_dicts(StoredRecord)}
    analyses = {
        row["id"]: (records[row["record_id"]], row["engine"], row["version"], row["level"])
        for row in loader.row_dicts(RecordAnalysis)
    }
    key_by_id = {
        row["id"]: (*analyses[row["analysis_id"]], row["game"], row["turn"], row["kind"])
        for row in loader.row_dicts(AnalysedDecision)
        if row["id"] in decision_ids
    }
    finished_decisions = AnalysedDecision.objects.filter(
        analysis__record__sha256__in={key[0] for key in key_by_id.values()},
        analysis__state=RecordAnalysis.State.DONE,
    )
    record, analysis = (
        "analysis__record__sha256",
        ("analysis__engine", "analysis__version", "analysis__level"),
    )
    rows = finished_decisions.values_list(record, *analysis, "game", "turn", "kind", "pk")
    id_by_key = {tuple(key): pk for *key, pk in rows}
    return {decision_id: id_by_key[key] for decision_id, key in key_by_id.items() if key in id_by_key}
