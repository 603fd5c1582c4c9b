from scorer.kingdomino import Kingdom
from scorer.kingdomino.board import Board, layout


def test_neighbours_and_rings_of_a_corner_an_edge_and_the_middle() -> None:
    tables = layout(3, 3)
    assert tables.positions[5] == (1, 2)
    assert tables.neighbours[0] == (1, 3)
    assert tables.neighbours[4] == (1, 3, 5, 7)
    assert tables.rings[5] == (1, 2, 4, 7, 8)
    assert tables.rings[4] == (0, 1, 2, 3, 5, 6, 7, 8)


def test_lines_of_three_and_more() -> None:
    assert set(layout(3, 3).lines) == {
        *((0, 1, 2), (3, 4, 5), (6, 7, 8)),
        *((0, 3, 6), (1, 4, 7), (2, 5, 8)),
        *((0, 4, 8), (2, 4, 6)),
    }
    assert set(layout(1, 4).lines) == {(0, 1, 2, 3)}
    assert layout(2, 2).lines == ()
    # 5 rows, 5 columns, and 5 diagonals of at least 3 each way.
    assert len(layout(5, 5).lines) == 20


def test_extent_and_castle() -> None:
    board = Board(Kingdom.parse(". . . ./. w c ./. . f ./. . . ."))
    assert (board.top, board.left, board.bottom, board.right) == (1, 1, 2, 2)
    assert board.castle == 6
    assert board.taken == 3
    assert board.corners == [5, 6, 9, 10]


def test_no_castle_or_several_is_none() -> None:
    assert Board(Kingdom.parse("w w")).castle is None
    assert Board(Kingdom.parse("c w c")).castle is None


def test_an_empty_kingdom() -> None:
    board = Board(Kingdom.parse(". ./. ."))
    assert (board.taken, board.castle, board.castle_centred) == (0, None, False)
    assert (board.top, board.left, board.bottom, board.right) == (0, 0, 0, 0)


def test_a_board_without_squares() -> None:
    board = Board(Kingdom.parse("."))
    assert (board.top, board.bottom, board.left, board.right) == (0, 0, 0, 0)
    assert (board.taken, board.castle, board.corners) == (0, None, [0])
