"""Quality of discovery on public sets of short texts, beside k-means that is told the true number of groups."""

from __future__ import annotations

from apps.core.suites import SuiteContext, SuiteResult, suite
from apps.topics.modelling.discovery import discover
from apps.topics.suites.corpora import gold_corpus
from apps.topics.suites.scoring import agreement, all_placed, k_means


@suite("topics:xsid-de")
def xsid_de(context: SuiteContext) -> SuiteResult:
    """xSID, German commands: 683 unique texts, 16 intents."""
    return _measured("xsid-de", context)


@suite("topics:clinc150")
def clinc150(context: SuiteContext) -> SuiteResult:
    """CLINC150, English: 4,500 questions, 150 intents."""
    return _measured("clinc150", context)


@suite("topics:banking77")
def banking77(context: SuiteContext) -> SuiteResult:
    """BANKING77, English: 3,080 questions of bank customers, 77 intents that lie close together."""
    return _measured("banking77", context)


@suite("topics:wahl-o-mat")
def wahl_o_mat(context: SuiteContext) -> SuiteResult:
    """Theses of the Wahl-O-Mat with one policy area: the areas are the desk's, not the texts'."""
    return _measured("wahl-o-mat", context)


def _measured(name: str, context: SuiteContext) -> SuiteResult:
    known = gold_corpus(name, context)
    context.say(f"{len(known.corpus)} unique texts, {known.count} true groups.")
    found = discover(known.corpus)
    placed = all_placed(known.corpus, found.labels)
    means = k_means(known.corpus, known.count)
    figures = {
        **agreement(known.gold, placed),
        **{name: value for name, value in agreement(known.gold, means, "kmeans_").items() if "accuracy" not in name},
        "topics": found.count,
        "true_topics": known.count,
        "unplaced": round(found.unplaced_share, 4),
    }
    notes = [f"Attempts: {', '.join(found.tried)}; refused: {found.refusal or 'no'}."]
    return SuiteResult(n=len(known.corpus), figures=figures, notes=notes)
