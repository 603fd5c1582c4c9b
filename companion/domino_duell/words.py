"""What `domino-duell` prints, and why a move, a turn or a text is refused."""

from __future__ import annotations

from companion.languages import Words

__all__ = ["WORDS"]

WORDS = {
    "duell.joker": Words("joker", "Joker"),
    "duell.stone": Words("{notation} ({features})", "{notation} ({features})"),
    "duell.triple": Words("triple {hollows}", "Tripel {hollows}"),
    "duell.quadruple": Words("quadruple {hollows}", "Quadrupel {hollows}"),
    "duell.points.one": Words("1 point", "1 Punkt"),
    "duell.points.several": Words("{count} points", "{count} Punkte"),
    "duell.touches.one": Words("1 touch", "1 Berührung"),
    "duell.touches.several": Words("{count} touches", "{count} Berührungen"),
    "duell.move": Words("{hollow}={stone}: {points}", "{hollow}={stone}: {points}"),
    "duell.why": Words("{groups}; {touches}", "{groups}; {touches}"),
    "duell.why_edge": Words(
        "{groups}; {touches}; at the edge, double", "{groups}; {touches}; am Rand, doppelt"
    ),
    "duell.arithmetic": Words("{sum} × {touches} = {points}", "{sum} × {touches} = {points}"),
    "duell.arithmetic_edge": Words(
        "{sum} × {touches} × 2 = {points}", "{sum} × {touches} × 2 = {points}"
    ),
    "duell.turn": Words("{number}. {player}: {told}", "{number}. {player}: {told}"),
    "duell.joker_used": Words(
        "joker on {hollow}, takes {stone}", "Joker auf {hollow}, nimmt {stone}"
    ),
    "duell.and_then": Words("{first}, then {second}", "{first}, dann {second}"),
    "duell.exchanged.one": Words("exchanges 1 piece", "tauscht 1 Stein"),
    "duell.exchanged.several": Words("exchanges {count} pieces", "tauscht {count} Steine"),
    "duell.passes": Words("sits out", "setzt aus"),
    "duell.totals": Words("score: {totals}", "Stand: {totals}"),
    "duell.total": Words("{player} {points}", "{player} {points}"),
    "duell.wins": Words("{player} wins with {points}.", "{player} gewinnt mit {points}."),
    "duell.shared": Words(
        "{players} share the victory with {points} each.",
        "{players} teilen sich den Sieg mit je {points}.",
    ),
    "duell.goes_on": Words(
        "The game is not over; next: {player}.",
        "Die Partie ist nicht zu Ende; als Nächstes: {player}.",
    ),
    "duell.no_moves": Words("No stone of the hand can be laid.", "Kein Stein der Hand passt."),
    "duell.equal": Words("{feature} equal, so {values}", "{feature} gleich, daher {values}"),
    "duell.different": Words(
        "{feature} different, so {values}", "{feature} ungleich, daher {values}"
    ),
    "duell.neither": Words(
        "{feature} neither equal nor different: these are no triple",
        "{feature} weder gleich noch ungleich: das ist kein Tripel",
    ),
    "duell.feature.colour": Words("colour", "Farbe"),
    "duell.feature.symbol": Words("symbol", "Symbol"),
    "duell.feature.symbol_colour": Words("colour of the symbol", "Symbolfarbe"),
    "duell.or": Words("{first} or {second}", "{first} oder {second}"),
    "duell.completes": Words("missing: {stones}", "es fehlt: {stones}"),
    "duell.completes_none": Words("No stone completes these.", "Kein Stein ergänzt diese."),
    "duell.wrong_count": Words(
        "Give two stones or three, all different.",
        "Bitte zwei oder drei verschiedene Steine angeben.",
    ),
    "duell.bad_json": Words(
        "line {line}, column {column}: this is no case: {reason}",
        "Zeile {line}, Spalte {column}: das ist kein Fall: {reason}",
    ),
    "duell.bad_case": Words(
        "line {line}: this is no case: {reason}", "Zeile {line}: das ist kein Fall: {reason}"
    ),
    "duell.field_missing": Words("“{field}” is missing", "„{field}“ fehlt"),
    "duell.field_wrong": Words(
        "“{field}” is of another form than expected", "„{field}“ hat eine andere Form als erwartet"
    ),
    "duell.at": Words(
        "{file}, line {line}, column {column}: {reason}",
        "{file}, Zeile {line}, Spalte {column}: {reason}",
    ),
    "duell.in_file": Words("{file}: {reason}", "{file}: {reason}"),
    "duell.argument": Words("{argument}: {reason}", "{argument}: {reason}"),
    "duell.standard_input": Words("standard input", "Standardeingabe"),
    "duell.no_file": Words(
        "{file} can't be read: {reason}", "{file} lässt sich nicht lesen: {reason}"
    ),
    "duell.no_text": Words(
        "{file} is no text file in UTF-8.", "{file} ist keine Textdatei in UTF-8."
    ),
    "photo.no_board": Words(
        "No board of Domino-Duell was found; the whole board must be in the picture.",
        "Kein Spielbrett von Domino-Duell gefunden; das ganze Brett muss im Bild sein.",
    ),
    "duell.tried": Words(
        "tried on drawn pictures only; please compare with the table",
        "nur an gezeichneten Bildern erprobt; bitte mit dem Tisch vergleichen",
    ),
    "duell.board_uncertain": Words(
        "where the board lies is not certain: please check every hollow",
        "wo das Brett liegt, ist nicht sicher: bitte jede Vertiefung prüfen",
    ),
    "duell.check": Words("please check:", "bitte prüfen:"),
    "duell.empty": Words("empty", "leer"),
    "duell.doubt": Words(
        "{hollow}: {first} ({percent} %), or else {second}",
        "{hollow}: {first} ({percent} %), sonst {second}",
    ),
    # What can't be understood.
    "duell_error.bad_stone": Words(
        "“{text}” is no stone; a stone is colour (y r b g), symbol (c m t s) and colour of the "
        "symbol (w k g l), as in rcw",
        "„{text}“ ist kein Stein; ein Stein ist Farbe (y r b g), Symbol (c m t s) und Symbolfarbe "
        "(w k g l), wie in rcw",
    ),
    "duell_error.bad_placing": Words(
        "“{text}” says no stone in a hollow, as f6=rcw does",
        "„{text}“ nennt keinen Stein in einer Vertiefung, wie f6=rcw es tut",
    ),
    "duell_error.off_board": Words(
        "the board has no hollow “{hollow}”", "das Spielbrett hat keine Vertiefung „{hollow}“"
    ),
    "duell_error.hollow_twice": Words("{hollow} is filled twice", "{hollow} ist zweimal belegt"),
    "duell_error.piece_twice": Words("{stone} is there twice", "{stone} ist zweimal da"),
    "duell_error.too_many_jokers": Words(
        "{found} jokers: there are only {allowed}", "{found} Joker: es gibt nur {allowed}"
    ),
    "duell_error.bad_turn": Words(
        "“{text}” is not understood here; a turn is as f6=rcw, joker f6, swap rcw or pass",
        "„{text}“ ist hier nicht zu verstehen; ein Zug ist wie f6=rcw, joker f6, swap rcw oder "
        "pass",
    ),
    "duell_error.bad_count": Words(
        "the number of stones does not fit; expected: {expected}",
        "die Zahl der Steine passt nicht; erwartet: {expected}",
    ),
    "duell_error.unknown_player": Words(
        "there is no player of this name", "so heißt niemand in dieser Partie"
    ),
    "duell_error.unknown_line": Words(
        "“{text}” is not understood here", "„{text}“ ist hier nicht zu verstehen"
    ),
    "duell_error.line_twice": Words("“{text}” was said before", "„{text}“ stand schon da"),
    "duell_error.late_line": Words(
        "“{text}” must stand before the first turn", "„{text}“ muss vor dem ersten Zug stehen"
    ),
    "duell_error.line_missing": Words("the line “{text}” is missing", "die Zeile „{text}“ fehlt"),
    "duell_error.empty_board": Words(
        "the drawing has no hollow", "die Zeichnung hat keine Vertiefung"
    ),
    "duell_error.too_many_rows": Words(
        "{found} rows: at most {allowed} are possible", "{found} Reihen: höchstens {allowed} gehen"
    ),
    "duell_error.bad_hollow_mark": Words(
        "“{text}” is neither o, x nor a blank", "„{text}“ ist weder o noch x noch leer"
    ),
    "duell_error.off_lattice": Words(
        "this hollow must stand one column further left or right, between those above",
        "diese Vertiefung muss eine Spalte weiter links oder rechts stehen, zwischen denen darüber",
    ),
    "duell_error.bad_players": Words(
        "a game has two to six players", "eine Partie hat zwei bis sechs Spieler"
    ),
    "duell_error.bad_name": Words(
        "“{player}” can't be a player's name here", "„{player}“ geht hier nicht als Name"
    ),
    "duell_error.same_name": Words("two players are called {player}", "zwei heißen {player}"),
    "duell_error.bad_begins": Words(
        "there is no player of this number", "so viele Spieler sind es nicht"
    ),
    "duell_error.start_stones": Words(
        "at the start one stone lies in each hollow of the middle and nowhere else",
        "am Anfang liegt in jeder Vertiefung der Mitte ein Stein und sonst nirgends",
    ),
    "duell_error.hand_too_large": Words(
        "{found} pieces: a hand has at most {allowed}",
        "{found} Steine: eine Hand hat höchstens {allowed}",
    ),
    "duell_error.jokers_not_in_play": Words(
        "a joker, but no line “jokers”", "ein Joker, aber keine Zeile „jokers“"
    ),
    # Why a turn is not allowed.
    "duell_error.occupied": Words("{hollow} is occupied", "{hollow} ist schon belegt"),
    "duell_error.stone_on_board": Words(
        "{stone} lies on the board already", "{stone} liegt schon auf dem Spielbrett"
    ),
    "duell_error.joker_laid": Words(
        "a joker is not laid like a stone", "ein Joker wird nicht wie ein Stein angelegt"
    ),
    "duell_error.no_group": Words(
        "{stone} on {hollow} makes no new triple or quadruple",
        "{stone} auf {hollow} ergibt kein neues Tripel oder Quadrupel",
    ),
    "duell_error.not_in_hand": Words(
        "{stone} is not in this hand", "{stone} ist nicht in dieser Hand"
    ),
    "duell_error.in_other_hand": Words(
        "{stone} is in another hand", "{stone} ist in einer anderen Hand"
    ),
    "duell_error.not_in_bag": Words(
        "{stone} can't have been in the bag", "{stone} kann nicht im Säckchen gewesen sein"
    ),
    "duell_error.bag_too_small": Words(
        "{found} drawn, but the bag holds {allowed}",
        "{found} gezogen, das Säckchen hat aber {allowed}",
    ),
    "duell_error.hand_too_small": Words(
        "{found} given, but the hand holds {allowed}",
        "{found} abgegeben, die Hand hat aber {allowed}",
    ),
    "duell_error.no_stone_to_take": Words(
        "on {hollow} lies no stone to take", "auf {hollow} liegt kein Stein, den man nehmen kann"
    ),
    "duell_error.too_near_border": Words(
        "{hollow} lies less than two rows inside the stones",
        "{hollow} liegt keine zwei Reihen tief zwischen den Steinen",
    ),
    "duell_error.no_jokers": Words("there is no joker to use", "es ist kein Joker da"),
    "duell_error.need_not_pass": Words(
        "only who can't lay sits out, but {stone} goes on {hollow}",
        "nur wer nicht anlegen kann, setzt aus; {stone} passt aber auf {hollow}",
    ),
    "duell_error.not_their_turn": Words(
        "it is the turn of {expected}, not of {player}", "{expected} ist am Zug, nicht {player}"
    ),
    "duell_error.game_over": Words("the game is over", "die Partie ist zu Ende"),
}
