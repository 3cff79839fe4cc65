"""The mathematics of topics, without a database: arrays and frozen values in, frozen values out.

The heavy libraries (umap, hdbscan, scikit-learn, bertopic) are imported inside the functions that need them: only the
worker of the queue ``topics`` ever calls those.
"""
