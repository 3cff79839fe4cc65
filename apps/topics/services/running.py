"""One run over the log from beginning to end: guarded, cancellable, safe to start twice. Only the worker calls it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Final

from django.db import InterfaceError, OperationalError, transaction
from django.utils import timezone

from apps.core.locks import held_alone
from apps.documents.models import Word
from apps.topics import spaces
from apps.topics.embedding import topic_embedder
from apps.topics.mapping import charts_store
from apps.topics.modelling.discovery import LEAST_FOR_TOPICS, CancelledError, discover
from apps.topics.modelling.labels import labels_of
from apps.topics.modelling.spelling import corrections
from apps.topics.modelling.types import Discovery, Method
from apps.topics.modelling.words import Analyser
from apps.topics.models import Gap, QueryText, Topic, TopicRun, VectorSpace
from apps.topics.services.calibrating import space_calibrate
from apps.topics.services.corpus import LogCorpus, Standing, corpus_of, raw_vectors, standing
from apps.topics.services.counting import days_count, days_kept
from apps.topics.services.judging import topics_name
from apps.topics.services.measuring import closeness_measure
from apps.topics.services.merging import merges_propose
from apps.topics.services.placing import party_names, party_recogniser, texts_embed, texts_place
from apps.topics.services.proposing import Proposal, anew, night
from apps.topics.services.standing_figures import topics_refresh
from apps.topics.services.storing import EditedMeanwhileError, proposal_store, whole_labels

logger = logging.getLogger(__name__)
LOCK: Final = 7_003
# The frozen middle of the vectors is taken anew when there are so many times the texts that it was made of.
_GROWN: Final = 3
# A word becomes a keyword when so many sessions have used it: a secret that one reader told never does.
_LEAST_SESSIONS: Final = 3
# The newest ones first: what is older follows minute by minute.
_MOST_MEASURED: Final = 20_000
_FULL_AFTER: Final = timedelta(days=30)
# Editors change topics every few minutes at most, and a proposal takes seconds.
_ATTEMPTS: Final = 5
# A run that is killed so often kills its worker itself: it takes more memory than there is.
_MOST_STARTS: Final = 5


def run_execute(*, pk: int) -> str:
    """Execute an ordered run and return its state. A second worker with the same run, or another one, does nothing."""
    with held_alone(LOCK) as is_alone:
        run = TopicRun.objects.filter(pk=pk).first()
        # Left running by a killed worker: whoever holds the lock now goes on with it.
        if not is_alone or run is None or not run.is_open:
            return run.state if run else ""
        run.state, run.started_at, run.progress = TopicRun.State.RUNNING, timezone.now(), 1
        run.starts += 1
        run.save(update_fields=["state", "started_at", "progress", "starts"])
        try:
            _execute(run)
        except CancelledError:
            run.state, run.reason = TopicRun.State.CANCELLED, "by_hand"
        except (OperationalError, InterfaceError):
            # The database was away, and the lock went with the connection: open as it is, ``runs_waiting`` finds it.
            logger.warning("Run %d has lost the database and goes on within minutes.", run.pk)
            raise
        except Exception:
            _failed(run)
        run.finished_at, run.progress = timezone.now(), 100
        run.save()
        return run.state


def _failed(run: TopicRun) -> None:
    """Say what an unforeseen error has left: topics that were stored before it are there, and the run has been one."""
    if run.state == TopicRun.State.ACCEPTED:
        logger.exception("Run %d has stored its topics; what hangs on them follows with the next run.", run.pk)
        run.reason = "unfinished"
    else:
        logger.exception("Run %d of the topics failed; the topics stay as they were.", run.pk)
        run.state, run.reason = TopicRun.State.FAILED, "error"


def _execute(run: TopicRun) -> None:
    if run.starts > _MOST_STARTS:
        logger.error("Run %d was begun %d times and never ended; it is given up.", run.pk, _MOST_STARTS)
        run.state, run.reason = TopicRun.State.FAILED, "worker_lost"
        return
    embedder = topic_embedder().name
    # After a change of the embedder every question that is still kept is read again.
    QueryText.objects.of_other_embedders(embedder).update(embedder="")
    # Placed at once: nobody looks at them again where this run is cancelled or refused.
    texts_place(texts=texts_embed(most=1_000_000))
    rows, raw = raw_vectors(embedder)
    run.texts = sum(len(gist.ids) for gist in rows)
    _step(run, 15)
    if len(rows) < LEAST_FOR_TOPICS:
        run.state, run.reason, run.method = TopicRun.State.SKIPPED, "too_few_texts", Method.LISTED.value
        days_count(days=days_kept())
        topics_refresh()
        return
    space = spaces.space_of(embedder)
    is_full = run.kind == TopicRun.Kind.FULL or _must_be_full(space, len(rows))
    if is_full or space is None:
        run.kind = TopicRun.Kind.FULL
        with transaction.atomic():
            space = spaces.space_freeze(embedder=embedder, vectors=raw)
            _centres_move(space, embedder)
    log = corpus_of(rows, spaces.in_space(raw, space))
    run.input_hash = log.digest
    _step(run, 25)
    # Once: what is found in the texts knows nothing of the topics, and takes minutes.
    found = discover(log.corpus, is_cancelled=_cancel_wanted(run)) if is_full else None
    for _attempt in range(_ATTEMPTS):
        before = standing(embedder, log, _with_open_gaps())
        try:
            topics = _take_or_leave(run, embedder, log, before, _proposed(run, log, before, found))
        except EditedMeanwhileError:
            logger.info("An editor has changed topics while run %d was thinking: it proposes again.", run.pk)
            continue
        if topics is not None:
            _follow(run, embedder, log, *topics)
        return
    _leave(run, "edited_meanwhile")


def _proposed(run: TopicRun, log: LogCorpus, before: Standing, found: Discovery | None) -> Proposal:
    wanted = _cancel_wanted(run)
    if found is not None:
        return anew(log.corpus, before.whole, wanted, found=found)
    return night(log.corpus, before.parts, _settled(log), wanted)


def _take_or_leave(
    run: TopicRun, embedder: str, log: LogCorpus, before: Standing, proposal: Proposal
) -> tuple[Proposal, list[Topic]] | None:
    """Store the proposal and return its topics; None where the guards refuse it."""
    _note(run, proposal)
    _step(run, 70)
    if proposal.refusal and not (proposal.refusal == "too_many_lost" and _has_outgrown(len(log.all_ids))):
        _leave(run, proposal.refusal)
        return None
    whole = whole_labels(before, proposal)
    names = labels_of(log.corpus, whole, proposal.centres, _analyser(log), least_sessions=_LEAST_SESSIONS)
    # The last moment for that: from here on the topics are changed.
    _step(run, 80)
    topics = proposal_store(run=run, embedder=embedder, log=log, standing=before, proposal=proposal, labels=names)
    run.topics, run.born, run.state = len(topics), proposal.born, TopicRun.State.ACCEPTED
    return proposal, topics


def _leave(run: TopicRun, reason: str) -> None:
    """Reject what is proposed: the topics stay, what was asked meanwhile is counted."""
    run.state, run.reason = TopicRun.State.REJECTED, reason
    days_count(days=days_kept())
    topics_refresh()


def _follow(run: TopicRun, embedder: str, log: LogCorpus, proposal: Proposal, topics: list[Topic]) -> None:
    """Bring everything that hangs on topics up to date. They are stored: nothing takes that back any more."""
    closeness_measure(embedder=embedder, most=_MOST_MEASURED)
    space_calibrate(embedder=embedder)
    _progress(run, 88)
    days_count(days=days_kept())
    topics_refresh()
    charts_store(log=log, proposal=proposal, topics=topics)
    topics_name(topics=topics)
    merges_propose(embedder=embedder)
    _progress(run, 97)


def _note(run: TopicRun, proposal: Proposal) -> None:
    placed = proposal.labels[proposal.labels >= 0]
    run.method, run.survival = proposal.method.value, round(proposal.survival, 4)
    run.unplaced_share = round(1 - len(placed) / max(1, len(proposal.labels)), 4)
    counts = [int((placed == number).sum()) for number in range(len(proposal.centres))]
    run.largest_share = round(max(counts, default=0) / max(1, len(proposal.labels)), 4)
    run.parameters = {"tried": list(proposal.tried)}


def _progress(run: TopicRun, progress: int) -> None:
    TopicRun.objects.filter(pk=run.pk).update(progress=progress)


def _step(run: TopicRun, progress: int) -> None:
    _progress(run, progress)
    _cancel_wanted(run)()


def _cancel_wanted(run: TopicRun) -> Callable[[], bool]:
    def ask() -> bool:
        if TopicRun.objects.filter(pk=run.pk, is_cancel_wanted=True).exists():
            raise CancelledError
        return False

    return ask


def _must_be_full(space: VectorSpace | None, texts: int) -> bool:
    if space is None or texts >= _GROWN * max(space.texts, LEAST_FOR_TOPICS):
        return True
    last = _last_full()
    return last is None or last.created_at < timezone.now() - _FULL_AFTER


def _has_outgrown(texts: int) -> bool:
    """Say whether the topics that there are come from a log so small that they prove nothing about this one."""
    last = TopicRun.objects.filter(state=TopicRun.State.ACCEPTED).order_by("-created_at").first()
    return last is None or texts >= _GROWN * last.texts


def _last_full() -> TopicRun | None:
    full = TopicRun.objects.filter(kind=TopicRun.Kind.FULL, state=TopicRun.State.ACCEPTED)
    return full.order_by("-created_at").first()


def _settled(log: LogCorpus) -> frozenset[str]:
    """Return the texts that the last full run has seen."""
    from apps.topics.models import QueryText

    last = _last_full()
    if last is None or last.started_at is None:
        return frozenset()
    seen = QueryText.objects.filter(pk__in=log.all_ids, taken_in__lt=last.started_at)
    return frozenset(seen.values_list("gist_key", flat=True))


def _centres_move(space: VectorSpace, embedder: str) -> None:
    """Take the centres of the topics from their members in the new space: same members, same topics."""
    import numpy as np

    from apps.topics.modelling.vectors import unit

    # In the order in which everybody else holds them.
    for topic in Topic.objects.placeable().order_by("pk"):
        packed = topic.part_members.filter(text__embedder=embedder).values_list("text__vector", flat=True)
        vectors = spaces.unpacked(bytes(vector) for vector in packed)
        if len(vectors):
            centred = spaces.in_space(vectors, space)
            topic.centre = spaces.packed_centre(unit(np.asarray(centred.mean(axis=0))[None])[0])
            topic.embedder = embedder
            topic.save(update_fields=["centre", "embedder"])


def _with_open_gaps() -> set[int]:
    return set(Gap.objects.open().values_list("topic", flat=True))


def _analyser(log: LogCorpus) -> Analyser:
    meant = corrections(log.corpus.texts, set(Word.objects.values_list("text", flat=True)))
    return Analyser(("de", "en"), party_recogniser(), names=tuple(party_names()), meant=meant)


def runs_waiting() -> list[int]:
    """Return the open runs that nobody works on: their message was lost, or their worker was killed."""
    with held_alone(LOCK) as is_alone:
        open_runs = TopicRun.objects.filter(state__in=[TopicRun.State.QUEUED, TopicRun.State.RUNNING])
        return list(open_runs.values_list("pk", flat=True)) if is_alone else []
