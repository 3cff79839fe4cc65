"""The bench "Try a question": a question answered as readers would get it, with the whole trace. Stores nothing."""
