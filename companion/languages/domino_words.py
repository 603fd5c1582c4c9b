"""What the companion says about pip dominoes: hands, score sheets, set-ups and what is odd."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "pips.one": Words("1 pip", "1 Auge"),
    "pips.several": Words("{count} pips", "{count} Augen"),
    "dominoes.one": Words("1 domino", "1 Dominostein"),
    "dominoes.several": Words("{count} dominoes", "{count} Dominosteine"),
    "list.and": Words("{before} and {last}", "{before} und {last}"),
    "count.dominoes": Words("{count}: {tiles}", "{count}: {tiles}"),
    "count.sum": Words("Sum: {pips} (double-{set} set)", "Summe: {pips} (Doppel-{set}-Satz)"),
    "count.sum_doubtful": Words(
        "Sum: {pips} (double-{set} set), please check first",
        "Summe: {pips} (Doppel-{set}-Satz), bitte erst prüfen",
    ),
    "count.double_blank": Words(
        "With 50 for the double blank: {points} at Chickenfoot and Mexican Train",
        "Mit 50 für den leeren Stein: {points} bei Chickenfoot und Mexican Train",
    ),
    "count.doubtful": Words("{tile} ({percent} %)", "{tile} ({percent} %)"),
    "count.reasons": Words("{line}: {reasons}", "{line}: {reasons}"),
    "count.reason.unlikely": Words("its pips are not clear", "seine Augen sind nicht deutlich"),
    "count.reason.witnesses": Words(
        "two ways of counting disagree", "zwei Zählweisen widersprechen sich"
    ),
    "count.reason.existence": Words("it may be no domino", "vielleicht ist es kein Dominostein"),
    "count.reason.closer": Words("it is too small in the photo", "er ist im Foto zu klein"),
    "count.reason.cut_off": Words(
        "it reaches beyond the edge of the photo", "er ragt über den Bildrand hinaus"
    ),
    "count.reason.figures": Words(
        "it bears figures instead of pips", "er trägt Ziffern statt Augen"
    ),
    "count.reason.changed": Words(
        "it looks like another domino, which is taken or not in the set",
        "er sieht aus wie ein anderer, der vergeben ist oder im Satz fehlt",
    ),
    "count.reason.twice": Words("it is there twice", "er liegt doppelt da"),
    "count.reason.double_blank": Words(
        "the double blank costs 50 points at Chickenfoot and Mexican Train",
        "der leere Stein kostet 50 Punkte bei Chickenfoot und Mexican Train",
    ),
    "count.warning.closer": Words(
        "dominoes are too small to be told apart: take the photo from closer",
        "Dominosteine sind zu klein, um sie zu unterscheiden: bitte näher herangehen",
    ),
    "count.warning.cut_off": Words(
        "a domino reaches beyond the edge of the photo",
        "ein Dominostein ragt über den Bildrand hinaus",
    ),
    "count.warning.double_blank": Words(
        "is the double blank really there?", "liegt der leere Stein wirklich da?"
    ),
    "count.warning.figures": Words(
        "a domino bears figures instead of pips", "ein Dominostein trägt Ziffern statt Augen"
    ),
    "count.warning.set_inferred": Words(
        "The set was taken to be double-{set}; say so with --set if it is another.",
        "Als Satz wurde Doppel-{set} angenommen; einen anderen bitte mit --set angeben.",
    ),
    "count.warning.set_never_photographed": Words(
        "Photos of a double-{set} set were never checked, only drawings of one.",
        "Fotos eines Doppel-{set}-Satzes wurden nie geprüft, nur Zeichnungen davon.",
    ),
    "count.warning.tile_twice": Words(
        "a domino seems to be there twice, though a set has it once",
        "ein Dominostein scheint doppelt dazuliegen, ein Satz hat ihn nur einmal",
    ),
    "count.warning.unread": Words(
        "something looks like a domino and was not read",
        "etwas sieht aus wie ein Dominostein und wurde nicht gelesen",
    ),
    "photo.no_dominoes": Words(
        "No domino was found. Take the photo from above and closer, with all faces in it and "
        "even light, or enter the dominoes by hand.",
        "Kein Dominostein gefunden. Bitte von oben und näher fotografieren, mit allen Vorderseiten "
        "im Bild und gleichmäßigem Licht, oder die Dominosteine von Hand eingeben.",
    ),
    "domino_score.round": Words("Round of {double}", "Runde mit {double}"),
    "domino_score.muggins_round": Words("Round {number}", "Runde {number}"),
    "domino_score.player": Words("{name}: {points}", "{name}: {points}"),
    "domino_score.out": Words("{line} (out)", "{line} (alles abgelegt)"),
    "domino_score.blocked": Words(
        "blocked: nobody is out", "blockiert: niemand hat alles abgelegt"
    ),
    "domino_score.totals": Words("Totals", "Gesamt"),
    "domino_score.winner": Words("{name} wins with {points}.", "{name} gewinnt: {points}."),
    "domino_score.team_wins": Words("{name} win with {points}.", "{name} gewinnen: {points}."),
    "domino_score.winners": Words(
        "{names} share the win with {points}.", "{names} teilen sich den Sieg: {points}."
    ),
    "domino_score.next": Words(
        "The next round starts with {double}.", "Die nächste Runde beginnt mit {double}."
    ),
    "domino_score.by_play": Words("{name}: {points} by play", "{name}: {points} im Spiel"),
    "domino_score.called": Words(
        "{name}: {points} by play, missed by {player}",
        "{name}: {points} im Spiel, von {player} übersehen",
    ),
    "domino_score.round_end": Words(
        "{name}: {points} at the end of the round", "{name}: {points} am Ende der Runde"
    ),
    "domino_score.nobody": Words(
        "nobody scores: the fewest pips are shared",
        "niemand bekommt Punkte: die wenigsten Augen sind geteilt",
    ),
    "domino_score.open_ends": Words(
        "Open ends: {ends} = {total}", "Offene Enden: {ends} = {total}"
    ),
    "domino_score.fits": Words("Open for: {numbers}", "Anlegen geht mit: {numbers}"),
    "domino_score.play": Words("This play scores {points}.", "Dieser Zug bringt {points}."),
    "domino_score.left": Words("Left: {count} with {pips}", "Übrig: {count} mit {pips}"),
    "domino_score.won": Words("Won: no domino is left.", "Gewonnen: kein Dominostein ist übrig."),
    "domino_score.may_remove": Words("{tiles} may go.", "{tiles} darf weg."),
    "domino_score.clearing": Words(
        "Removing as well as possible leaves {count} with {pips}.",
        "Bestmöglich abgeräumt bleiben {count} mit {pips}.",
    ),
    "domino_score.no_removal": Words(
        "The row offers no removal.", "Aus der Reihe kann kein Dominostein weg."
    ),
    "domino_setup.game": Words(
        "{game}, players: {players}, set: double-{set}",
        "{game}, Spieler: {players}, Satz: Doppel-{set}",
    ),
    "domino_setup.put_aside": Words(
        "Put aside: {count} with more than {set} pips on a half",
        "Aussortieren: {count} mit mehr als {set} Augen auf einer Hälfte",
    ),
    "domino_setup.first_double": Words(
        "In the middle: {double}; each later round starts with the next lower double",
        "In die Mitte: {double}; jede weitere Runde beginnt mit dem nächstniedrigen Doppelstein",
    ),
    "domino_setup.draw": Words("Each player draws: {draw}", "Jeder zieht: {draw}"),
    "domino_setup.row": Words("Laid face up in a row: {draw}", "Aufgedeckt in eine Reihe: {draw}"),
    "domino_setup.boneyard": Words("Boneyard: {boneyard}", "Talon: {boneyard}"),
    "domino_setup.rounds": Words("Rounds: {rounds}", "Runden: {rounds}"),
    "domino_setup.teams": Words("Teams, by seat: {teams}", "Mannschaften, nach Plätzen: {teams}"),
    "domino_setup.target": Words(
        "First to reach {target} points wins", "Wer zuerst {target} Punkte hat, gewinnt"
    ),
    "domino_problem.in_round": Words("round {round}: {problem}", "Runde {round}: {problem}"),
    "domino_problem.not_in_table": Words(
        "the sheet has no draw for so many players with this set",
        "der Spielregel fehlt die Zahl der Steine für so viele Spieler mit diesem Satz",
    ),
    "domino_problem.unexpected_double": Words(
        "starts with {tile}, {expected} was due", "beginnt mit {tile}, {expected} wäre dran"
    ),
    "domino_problem.outside_set": Words(
        "{players}: {tile} is not in this set", "{players}: {tile} gibt es in diesem Satz nicht"
    ),
    "domino_problem.in_two_hands": Words(
        "{tile} is in the hands of {players}, there is only one",
        "{tile} haben {players}, es gibt ihn nur einmal",
    ),
    "domino_problem.starting_double_in_hand": Words(
        "{players}: {tile} lies in the middle and is in no hand",
        "{players}: {tile} liegt in der Mitte und ist in keiner Hand",
    ),
    "domino_problem.too_many_tiles": Words(
        "more dominoes than the set has", "mehr Dominosteine, als der Satz hat"
    ),
    "domino_problem.several_out": Words(
        "{players} are all out, only one can be",
        "{players} haben alles abgelegt, das kann nur einer",
    ),
    "domino_error.bad_tile": Words(
        "“{text}” is no domino; write both halves, as in 5|9 or 5-9",
        "„{text}“ ist kein Dominostein; schreibe beide Hälften, etwa 5|9 oder 5-9",
    ),
    "domino_error.bad_round": Words(
        "“{text}” is no round; write the starting double and what each player had left, as in "
        "12|12: Anna = 10|11 0|0; Ben = -",
        "„{text}“ ist keine Runde; schreibe den Anspielstein und was jeder übrig hatte, etwa "
        "12|12: Anna = 10|11 0|0; Ben = -",
    ),
    "domino_error.bad_entry": Words(
        "“{text}” is not understood; write NAME = DOMINOES, a number, or - for none left",
        "„{text}“ ist unverständlich; schreibe NAME = DOMINOSTEINE, eine Zahl oder - für keine",
    ),
    "domino_error.bad_plays": Words(
        "“{text}” are no points; write for example Ben = 10, or Ben = 10 > Anna if Anna called it",
        "„{text}“ sind keine Punkte; schreibe etwa Ben = 10, oder Ben = 10 > Anna, wenn Anna "
        "gerufen hat",
    ),
    "domino_error.bad_record": Words(
        "the record lacks “{field}” or has another kind of value there",
        "dem Datensatz fehlt „{field}“, oder es steht etwas anderes darin",
    ),
    "domino_error.unknown_set": Words(
        "there is no double-{set} set; there are 6, 9, 12, 15 and 18",
        "einen Doppel-{set}-Satz gibt es nicht; es gibt 6, 9, 12, 15 und 18",
    ),
    "domino_error.unknown_game": Words(
        "there is no game {game}; there are muggins, castle-rock, chickenfoot and mexican-train",
        "das Spiel {game} gibt es nicht; es gibt muggins, castle-rock, chickenfoot und "
        "mexican-train",
    ),
    "domino_error.set_not_played": Words(
        "{game} is not played with double-{set}; the sets are {sets}",
        "{game} spielt man nicht mit Doppel-{set}; es geht mit {sets}",
    ),
    "domino_error.not_in_table": Words(
        "{game} with double-{set} is not for {players} players, but for {allowed}",
        "{game} mit Doppel-{set} ist nicht für {players} Spieler, sondern für {allowed}",
    ),
    "domino_error.quick_not_played": Words(
        "the quick game belongs to Mexican Train, not to {game}",
        "das schnelle Spiel gehört zu Mexican Train, nicht zu {game}",
    ),
    "domino_error.singles_not_played": Words(
        "playing without teams is a choice at Muggins, not at {game}",
        "ohne Mannschaften spielen kann man bei Muggins, nicht bei {game}",
    ),
    "domino_error.tile_twice": Words("{tile} is there twice", "{tile} kommt zweimal vor"),
    "domino_error.not_in_hand": Words("{tile} is not in the hand", "{tile} ist nicht auf der Hand"),
    "domino_error.outside_set": Words(
        "{tile} has more than {set} pips on a half",
        "{tile} hat mehr als {set} Augen auf einer Hälfte",
    ),
    "domino_error.no_double": Words(
        "a round starts with a double, {tile} is none",
        "eine Runde beginnt mit einem Doppelstein, {tile} ist keiner",
    ),
    "domino_error.no_such_round": Words(
        "there is no round {round}, there are {rounds}",
        "eine Runde {round} gibt es nicht, es sind {rounds}",
    ),
    "domino_error.too_many_rounds": Words(
        "{rounds} rounds are more than the {due} of the game",
        "{rounds} Runden sind mehr als die {due} des Spiels",
    ),
    "domino_error.same_name": Words(
        "two players are called {name}; give them different names",
        "zwei Spieler heißen {name}; bitte verschiedene Namen angeben",
    ),
    "domino_error.few_players": Words(
        "a game has two players or more, not {players}",
        "zu einer Partie gehören mindestens zwei Spieler, nicht {players}",
    ),
    "domino_error.bad_players": Words(
        "Muggins is for 2, 3 or 4 players, not {players}",
        "Muggins ist für 2, 3 oder 4 Spieler, nicht für {players}",
    ),
    "domino_error.other_players": Words(
        "round {round} has other players than the game",
        "Runde {round} hat andere Spieler als die Partie",
    ),
    "domino_error.unfinished_round": Words(
        "round {round} has no hands at its end, but another round follows",
        "Runde {round} endet ohne Hände, aber es folgt noch eine",
    ),
    "domino_error.game_over": Words(
        "somebody had reached the target before these points of round {round}",
        "das Ziel war vor diesen Punkten in Runde {round} schon erreicht",
    ),
    "domino_error.not_in_fives": Words(
        "{points} are no points by play: they are multiples of five, from 5",
        "{points} sind keine Punkte im Spiel: es sind Vielfache von fünf, ab 5",
    ),
    "domino_error.below_zero": Words("a number is below zero", "eine Zahl ist kleiner als null"),
    "domino_error.bad_target": Words(
        "a game can't end at {target} points", "eine Partie kann nicht bei {target} Punkten enden"
    ),
    "domino_error.does_not_fit": Words(
        "{tile} doesn't match the domino before it", "{tile} passt nicht an den Dominostein davor"
    ),
    "domino_error.several_doubles": Words(
        "which double is the spinner? Write it first, then its arms: "
        "5|5 / side 1 / side 2 / end 1 / end 2, a dot for an empty one",
        "welcher Doppelstein ist der Spinner? Schreibe ihn zuerst, dann seine Arme: "
        "5|5 / Seite 1 / Seite 2 / Ende 1 / Ende 2, einen Punkt für einen leeren",
    ),
    "domino_error.no_spinner": Words(
        "arms start from a double, written alone before the first /",
        "Arme beginnen an einem Doppelstein, der allein vor dem ersten / steht",
    ),
    "domino_error.ends_before_sides": Words(
        "both sides of the spinner are taken before its ends",
        "beide Seiten des Spinners werden vor seinen Enden belegt",
    ),
    "domino_error.too_many_arms": Words(
        "a spinner has four arms, not {arms}", "ein Spinner hat vier Arme, nicht {arms}"
    ),
    "domino_error.spot_not_open": Words("nothing can be laid there", "dort kann man nicht anlegen"),
    "domino_error.not_removable": Words(
        "these dominoes can't be removed: {tiles}", "diese Dominosteine können nicht weg: {tiles}"
    ),
    "domino_error.must_remove": Words(
        "a domino must be removed before one is drawn",
        "vor dem Ziehen muss ein Dominostein weg",
    ),
    "domino_score.file_unreadable": Words(
        "{file} can't be read: {reason}", "{file} lässt sich nicht lesen: {reason}"
    ),
    "domino_score.nothing": Words("there is no round in it", "darin steht keine Runde"),
    "domino_setup.players_missing": Words(
        "--players: say how many play", "--players: bitte angeben, wie viele spielen"
    ),
}
