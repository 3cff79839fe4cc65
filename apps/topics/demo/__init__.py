"""The demo's topics: named and approved as a desk would, over the invented log."""
