"""Topics keep their identity by their members; what editors did is laid over everything that is found."""

from __future__ import annotations

import numpy as np

from apps.topics.modelling.identity import Kind, Known, match, with_kept
from apps.topics.modelling.placing import floors_of, place
from apps.topics.modelling.routine import go_on, similar_topics
from apps.topics.modelling.types import UNPLACED
from apps.topics.modelling.vectors import centres_of
from apps.topics.services.proposing import anew
from tests.topics.texts import clusters

SUBJECTS = {"Rente": 20, "Klima": 20, "Wohnen": 20, "Bildung": 20}


def known_of(corpus, subject, **more) -> list[Known]:
    names = sorted(set(subject.values()))
    labels = np.array([names.index(subject[key]) for key in corpus.keys])
    centres = centres_of(corpus.vectors, labels, len(names))
    floors = floors_of(corpus.vectors, labels, centres)
    return [
        Known(
            name,
            frozenset(key for key in corpus.keys if subject[key] == name),
            centres[number],
            float(floors[number]),
            **more.get(name, {}),
        )
        for number, name in enumerate(names)
    ]


def labels_by(corpus, subject, groups: dict[str, int]) -> np.ndarray:
    return np.array([groups[subject[key]] for key in corpus.keys])


def test_topics_go_on_whatever_their_numbers():
    corpus, subject = clusters(SUBJECTS)
    labels = labels_by(corpus, subject, {"Rente": 3, "Klima": 0, "Wohnen": 1, "Bildung": 2})
    found = match(corpus, labels, known_of(corpus, subject), centres_of(corpus.vectors, labels, 4))
    assert found.uids == {3: "Rente", 0: "Klima", 1: "Wohnen", 2: "Bildung"}
    assert found.survival == 1.0


def test_two_topics_in_one_group_are_a_merger_and_the_larger_goes_on():
    corpus, subject = clusters({**SUBJECTS, "Klima": 10})
    labels = labels_by(corpus, subject, {"Rente": 0, "Klima": 0, "Wohnen": 1, "Bildung": 2})
    found = match(corpus, labels, known_of(corpus, subject), centres_of(corpus.vectors, labels, 3))
    assert found.uids[0] == "Rente"
    assert [(step.kind, step.old) for step in found.steps if step.kind == Kind.MERGE] == [(Kind.MERGE, "Klima")]
    assert found.survival == 0.75


def test_a_topic_in_two_groups_is_split_and_the_larger_keeps_the_name():
    corpus, subject = clusters(SUBJECTS)
    labels = labels_by(corpus, subject, {"Rente": 0, "Klima": 1, "Wohnen": 2, "Bildung": 3})
    rows = np.flatnonzero(labels == 0)
    labels[rows[:8]] = 4
    found = match(corpus, labels, known_of(corpus, subject), centres_of(corpus.vectors, labels, 5))
    assert found.uids[0] == "Rente"
    [split] = [step for step in found.steps if step.kind == Kind.SPLIT]
    assert (split.old, split.new) == ("Rente", 4)


def kept_of(known, *names):
    return [each for each in known if each.uid in names]


def members(corpus, labels, number) -> frozenset[str]:
    return frozenset(corpus.keys[row] for row in np.flatnonzero(labels == number))


def test_what_a_person_has_named_or_split_off_is_never_one_group_with_others():
    corpus, subject = clusters(SUBJECTS)
    [climate] = kept_of(known_of(corpus, subject), "Klima")
    labels = labels_by(corpus, subject, {"Rente": 0, "Klima": 0, "Wohnen": 1, "Bildung": 2})
    found = with_kept(corpus, labels, [climate])
    assert members(corpus, found, 0) == climate.members
    assert len(set(found.tolist())) == len(SUBJECTS)


def test_what_an_editor_has_brought_together_stays_together():
    corpus, subject = clusters(SUBJECTS)
    merged = {key: "Rente" if name == "Klima" else name for key, name in subject.items()}
    [both] = kept_of(known_of(corpus, merged), "Rente")
    labels = labels_by(corpus, subject, {"Rente": 0, "Klima": 1, "Wohnen": 2, "Bildung": 3})
    assert members(corpus, with_kept(corpus, labels, [both]), 0) == both.members


def test_what_is_new_beside_a_kept_topic_joins_it_where_its_floor_allows():
    corpus, subject = clusters(SUBJECTS)
    [rent] = kept_of(known_of(corpus, subject), "Rente")
    labels = labels_by(corpus, subject, {"Rente": 0, "Klima": 1, "Wohnen": 2, "Bildung": 3})
    near, far = sorted(rent.members)[:2]
    labels[corpus.keys.index(sorted(key for key in corpus.keys if subject[key] == "Klima")[0])] = 0
    known = Known("Rente", rent.members - {near}, rent.centre, rent.floor)
    found = with_kept(corpus, labels, [known])
    assert members(corpus, found, 0) == rent.members, "the stranger is left out"
    assert far in members(corpus, found, 0)


def test_two_kept_topics_in_one_group_each_keep_their_own():
    corpus, subject = clusters(SUBJECTS)
    pair = kept_of(known_of(corpus, subject), "Rente", "Klima")
    found = with_kept(corpus, np.zeros(len(corpus), dtype=np.int64), pair)
    assert [members(corpus, found, number) for number in (0, 1)] == [each.members for each in pair]


def test_a_text_below_the_floor_stays_unplaced():
    corpus, subject = clusters(SUBJECTS)
    known = known_of(corpus, subject)
    centres = np.stack([each.centre for each in known])
    stranger = np.zeros((1, corpus.vectors.shape[1]), dtype=np.float32)
    stranger[0, -1] = 1.0
    assert place(stranger, centres, np.array([each.floor for each in known])).tolist() == [UNPLACED]


def test_a_new_subject_is_born_once_and_nothing_else_changes():
    before, subject = clusters(SUBJECTS)
    known = known_of(before, subject)
    after, now = clusters({**SUBJECTS, "Heizung": 25})
    night = go_on(after, known, settled=frozenset(before.keys))
    assert night.born == 1
    inside = [now[after.keys[row]] for row in np.flatnonzero(night.labels == len(known))]
    assert inside.count("Heizung") >= 20
    for number, each in enumerate(known):
        assert {after.keys[row] for row in np.flatnonzero(night.labels == number)} >= set(list(each.members)[:1])


def test_what_was_left_over_before_is_not_looked_at_again():
    corpus, subject = clusters({**SUBJECTS, "Heizung": 25})
    known = [each for each in known_of(corpus, subject) if each.uid != "Heizung"]
    assert go_on(corpus, known, settled=frozenset(corpus.keys)).born == 0
    assert go_on(corpus, known).born == 1


def test_locked_texts_stay_where_an_editor_put_them():
    corpus, subject = clusters(SUBJECTS)
    odd = next(key for key in corpus.keys if subject[key] == "Klima")
    known = known_of(corpus, subject, Rente={"locked": frozenset({odd})})
    night = go_on(corpus, known)
    number = [each.uid for each in known].index("Rente")
    assert night.labels[corpus.keys.index(odd)] == number


def test_near_topics_are_proposed_to_an_editor():
    centres = np.array([[1, 0], [0.96, 0.28], [0, 1]], dtype=np.float32)
    assert [pair[:2] for pair in similar_topics(centres)] == [(1, 0)]


def test_a_topic_with_the_desks_work_outlives_a_full_run_even_unasked():
    corpus, subject = clusters(SUBJECTS)
    known = known_of(corpus, subject, Rente={"is_kept": True})
    centre = np.zeros(corpus.vectors.shape[1], dtype=np.float32)
    centre[-1] = 1.0
    asleep = Known("Wehrdienst", frozenset({"gone"}), centre, 0.5, is_kept=True)
    forgotten = Known("Mode", frozenset({"gone too"}), -centre, 0.5)
    found = anew(corpus, [*known, asleep, forgotten], lambda: False)
    assert found.refusal == ""
    assert "Rente" in found.uids
    number = found.uids.index("Wehrdienst")
    assert not (found.labels == number).any()
    assert np.array_equal(found.centres[number], centre)
    assert "Mode" not in found.uids


def test_a_kept_topic_whose_questions_lie_far_apart_keeps_them():
    corpus, subject = clusters(SUBJECTS)
    scattered = frozenset(corpus.keys[::7])
    others = [Known(each.uid, each.members - scattered, each.centre, each.floor) for each in known_of(corpus, subject)]
    odd = Known("Jugend", scattered, others[0].centre, 0.4, is_kept=True)
    found = anew(corpus, [*others, odd], lambda: False)
    number = found.uids.index("Jugend")
    assert members(corpus, found.labels, number) == scattered
