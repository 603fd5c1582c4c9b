"""Tables of a measurement."""

from benchmarks.markdown_tables import markdown, reliability, thresholds


def test_a_table_has_a_line_a_row() -> None:
    assert markdown(("a", "b"), [(1, "x"), (2, "y")]).splitlines() == [
        "| a | b |",
        "| --- | --- |",
        "| 1 | x |",
        "| 2 | y |",
    ]


def test_reliability_has_ten_bins_and_the_share_that_was_right() -> None:
    lines = reliability([(0.95, True), (0.97, False), (1.0, True), (0.12, False)]).splitlines()
    assert len(lines) == 12
    assert lines[-1] == "| 0.9 to 1.0 | 3 | 0.973 | 0.667 |"
    assert lines[3] == "| 0.1 to 0.2 | 1 | 0.120 | 0.000 |"
    assert lines[2] == "| 0.0 to 0.1 | 0 | – | – |"


def test_a_threshold_says_what_it_flags_and_what_it_misses() -> None:
    lines = thresholds([(0.55, True), (0.92, False), (0.999, True)], kingdoms=2).splitlines()
    assert "| 0.5 | 0.00 | 1 |" in lines
    assert "| 0.6 | 0.50 | 1 |" in lines
    assert "| 0.93 | 1.00 | 0 |" in lines
