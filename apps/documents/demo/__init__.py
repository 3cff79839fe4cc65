"""The demo corpus: an invented election in real file formats, loaded by quickstart and checked by the tests."""
