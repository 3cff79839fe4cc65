"""How well found groups agree with true ones."""

from __future__ import annotations

import numpy as np

from apps.core.suites import Figure
from apps.topics.modelling.types import Corpus, Labels
from apps.topics.modelling.vectors import centres_of, nearest


def agreement(gold: Labels, found: Labels, prefix: str = "") -> dict[str, Figure]:
    """Return NMI, ARI and the accuracy of the best one-to-one naming (Hungarian)."""
    from sklearn.metrics import adjusted_rand_score, normalized_mutual_info_score

    return {
        f"{prefix}nmi": round(float(normalized_mutual_info_score(gold, found)), 4),
        f"{prefix}ari": round(float(adjusted_rand_score(gold, found)), 4),
        f"{prefix}accuracy": round(best_accuracy(gold, found), 4),
    }


def best_accuracy(gold: Labels, found: Labels) -> float:
    from scipy.optimize import linear_sum_assignment

    table = np.zeros((int(gold.max()) + 1, int(found.max()) + 2))
    np.add.at(table, (gold, found + 1), 1)
    rows, columns = linear_sum_assignment(-table)
    return float(table[rows, columns].sum() / len(gold))


def all_placed(corpus: Corpus, labels: Labels) -> Labels:
    """Return the labels with every outlier at its nearest topic: how published figures are counted, not how we show."""
    count = int(labels.max(initial=-1)) + 1
    if not count:
        return np.zeros(len(labels), dtype=np.int64)
    centres = centres_of(corpus.vectors, labels, count)
    return np.where(labels < 0, nearest(corpus.vectors, centres)[0], labels)


def k_means(corpus: Corpus, count: int) -> Labels:
    """Return k-means at the true number of groups, the usual comparison."""
    from sklearn.cluster import KMeans

    return np.asarray(KMeans(count, n_init=4, random_state=0).fit_predict(corpus.vectors), dtype=np.int64)
