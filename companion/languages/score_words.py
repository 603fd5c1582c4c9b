"""What `kingdomino score`, `kingdomino setup` and `kingdomino check` print."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "notation.refused": Words(
        "“{text}” is no kingdom: {reason}", "„{text}“ ist kein Königreich: {reason}"
    ),
    "notation.bad_square": Words(
        "“{text}” in row {row}, column {column} is no square; write . for empty, c for the "
        "castle, or one of w f l g s m with 0 to 3 crowns and at most as many !, as in w2!",
        "„{text}“ in Zeile {row}, Spalte {column} ist kein Feld; schreibe . für leer, c für das "
        "Schloss oder w f l g s m mit 0 bis 3 Kronen und höchstens so vielen !, etwa w2!",
    ),
    "notation.unequal_rows": Words(
        "row {row} has {actual} squares, expected {expected}; write . for an empty square",
        "Zeile {row} hat {actual} Felder, erwartet sind {expected}; schreibe . für ein leeres Feld",
    ),
    "notation.empty_text": Words("there is no square in it", "es enthält kein Feld"),
    "players.empty_name": Words(
        "“{text}” has no name before the =", "„{text}“ hat keinen Namen vor dem ="
    ),
    "players.same_name": Words(
        "two players are called {name}; give them different names",
        "zwei Spieler heißen {name}; bitte verschiedene Namen angeben",
    ),
    "players.some_named": Words(
        "only some kingdoms have a name; write NAME=NOTATION for all or for none",
        "nur manche Königreiche haben einen Namen; schreibe NAME=NOTATION bei allen oder keinem",
    ),
    "rules_error.bad_size": Words(
        "a grid is 5 or 7 squares wide, not {size}",
        "ein Raster ist 5 oder 7 Felder breit, nicht {size}",
    ),
    "rules_error.bad_players": Words(
        "a game has 2 to 5 players, not {players}",
        "eine Partie hat 2 bis 5 Spieler, nicht {players}",
    ),
    "rules_error.variant_beside_quests": Words(
        "the variant {variant} is one of the quests and not used beside quests; give it as a quest",
        "die Variante {variant} ist eines der Wertungsplättchen und gilt nicht neben ihnen; bitte "
        "als Wertungsplättchen angeben",
    ),
    "rules_error.duplicate_quest": Words(
        "the quest {quest} exists once", "das Wertungsplättchen {quest} gibt es einmal"
    ),
    "rules_error.unknown_quest": Words(
        "there is no quest {quest}; the quests are local-business:T and four-corners:T with T one "
        "of w f l g s m, harmony, middle-kingdom, lost-corner, folie-des-grandeurs and bleak-king",
        "es gibt kein Wertungsplättchen {quest}; es gibt local-business:T und four-corners:T mit T "
        "aus w f l g s m, harmony, middle-kingdom, lost-corner, folie-des-grandeurs und bleak-king",
    ),
    "rules_error.quest_needs_terrain": Words(
        "the quest {quest} shows a terrain: write for example {quest}:w",
        "das Wertungsplättchen {quest} zeigt eine Landschaft: schreibe zum Beispiel {quest}:w",
    ),
    "rules_error.quest_without_terrain": Words(
        "the quest {quest} shows no terrain", "das Wertungsplättchen {quest} zeigt keine Landschaft"
    ),
    "rules_error.duel_needs_two_players": Words(
        "the Mighty Duel is for 2 players, not {players}",
        "das große Duell ist für 2 Spieler, nicht für {players}",
    ),
    "rules_error.duel_needs_large_grid": Words(
        "the Mighty Duel is played on 7×7", "das große Duell wird auf 7×7 gespielt"
    ),
    "rules_error.large_grid_needs_two_players": Words(
        "7×7 is for 2 players, not {players}", "7×7 ist für 2 Spieler, nicht für {players}"
    ),
    "rules_error.five_players_need_expansion": Words(
        "5 players need Age of Giants", "zu fünft braucht es Zeitalter der Giganten"
    ),
    "score.total": Words("{name}: {points}", "{name}: {points}"),
    "points.one": Words("1 point", "1 Punkt"),
    "points.several": Words("{count} points", "{count} Punkte"),
    "score.kingdom": Words("Kingdom", "Königreich"),
    "score.numbered": Words("Kingdom {number}", "Königreich {number}"),
    "score.territory": Words(
        "{terrain}: {squares} × {crowns} = {points}", "{terrain}: {squares} × {crowns} = {points}"
    ),
    "score.covered": Words("{line} ({covered} under giants)", "{line} ({covered} unter Giganten)"),
    "score.bonus": Words("{quest}: {points}", "{quest}: {points}"),
    "score.bonus_at": Words("{quest}: {points} ({places})", "{quest}: {points} ({places})"),
    "score.by_territory": Words("{quest} by territory", "{quest} nach Gebieten"),
    "score.by_squares": Words("{quest} by squares", "{quest} nach Feldern"),
    "score.summary": Words(
        "largest territory: {largest}; {crowns}", "größtes Gebiet: {largest}; {crowns}"
    ),
    "score.centred": Words("castle in the centre", "Schloss in der Mitte"),
    "score.problem": Words("odd: {problem}", "auffällig: {problem}"),
    "ranking.title": Words("Ranking", "Rangliste"),
    "ranking.place": Words("{place}. {player}, {points}", "{place}. {player}, {points}"),
    "ranking.largest_territory": Words(
        "{ahead} wins the tie with {behind}: {ahead_squares} of {ahead_terrains} against "
        "{behind_squares} of {behind_terrains}",
        "{ahead} gewinnt den Gleichstand mit {behind}: {ahead_squares} {ahead_terrains} gegen "
        "{behind_squares} {behind_terrains}",
    ),
    "ranking.no_territory": Words(
        "{ahead} wins the tie with {behind}: {ahead_squares} in the largest territory against none",
        "{ahead} gewinnt den Gleichstand mit {behind}: {ahead_squares} im größten Gebiet, "
        "{behind} hat keins",
    ),
    "ranking.crowns": Words(
        "{ahead} wins the tie with {behind}: {ahead_crowns} against {behind_crowns}",
        "{ahead} gewinnt den Gleichstand mit {behind}: {ahead_crowns} gegen {behind_crowns}",
    ),
    "ranking.shared": Words(
        "{ahead} and {behind} share the place: nothing settles the tie",
        "{ahead} und {behind} teilen sich den Platz: nichts löst den Gleichstand auf",
    ),
    "ranking.or": Words("{first} or {second}", "{first} oder {second}"),
    "setup.players": Words("Players: {players}", "Spieler: {players}"),
    "setup.put_back_none": Words(
        "Dominoes: all {dominoes} are used", "Dominosteine: alle {dominoes} sind dabei"
    ),
    "setup.put_back": Words(
        "Dominoes: put {put_back} of {dominoes} back into the box unseen",
        "Dominosteine: {put_back} von {dominoes} unbesehen in die Schachtel zurücklegen",
    ),
    "setup.row": Words(
        "In a row: {row}, by ascending number", "In einer Reihe: {row}, nach steigender Zahl"
    ),
    "setup.row_letters": Words(
        "In a row: {row}, letters before numbers", "In einer Reihe: {row}, Buchstaben vor Zahlen"
    ),
    "setup.put_aside": Words(
        "Put aside from each row before kings are set: number {places}",
        "Aus jeder Reihe vor dem Setzen der Könige aussortieren: Stein {places}",
    ),
    "setup.rounds": Words("Rounds: {rounds}", "Runden: {rounds}"),
    "setup.kings": Words("Kings each: {kings}", "Könige je Spieler: {kings}"),
    "setup.grid": Words("Kingdom: {grid}×{grid}", "Königreich: {grid}×{grid}"),
    "setup.giants": Words(
        "Giants laid out: {giants}; quests drawn: {quests}",
        "Giganten bereitlegen: {giants}; Wertungsplättchen ziehen: {quests}",
    ),
    "check.legal": Words(
        "Legal: these dominoes make it, in this order.",
        "Möglich: aus diesen Dominosteinen, in dieser Reihenfolge.",
    ),
    "check.uncertain": Words(
        "Not certain: it takes dominoes of Age of Giants whose pairs of squares are not known "
        "for sure.",
        "Nicht sicher: es braucht Dominosteine aus Zeitalter der Giganten, deren Felderpaare "
        "nicht sicher bekannt sind.",
    ),
    "check.impossible": Words("Not possible:", "Nicht möglich:"),
    "check.gave_up": Words(
        "Given up: the search took too long, so nothing is certain.",
        "Aufgegeben: die Suche dauerte zu lange, nichts ist sicher.",
    ),
    "check.rests_on_pairs": Words(
        "{dominoes}: the pairs of these dominoes rest on one source.",
        "{dominoes}: die Felderpaare dieser Steine stützen sich auf eine einzige Quelle.",
    ),
    "check.domino": Words(
        "{number}: {left} at {left_place}, {right} at {right_place}",
        "{number}: {left} in {left_place}, {right} in {right_place}",
    ),
    "check.castle_alone": Words("No domino has been laid.", "Kein Dominostein liegt."),
    "check.no_domino": Words(
        "no domino of the box has such a square with a neighbour of it: {places}",
        "kein Dominostein der Schachtel hat so ein Feld mit einem seiner Nachbarn: {places}",
    ),
    "check.not_in_box": Words(
        "no domino of the box has such a square: {places}",
        "kein Dominostein der Schachtel hat so ein Feld: {places}",
    ),
    "check.unmatched": Words(
        "squares that can't all be halves of dominoes: {found}, with possible partners: "
        "{allowed} ({places})",
        "Felder, die nicht alle Dominohälften sein können: {found}, mögliche Partner: "
        "{allowed} ({places})",
    ),
    "check.needed_too_often": Words(
        "{dominoes} would be needed {found} times, the box has {allowed}: {places}",
        "{dominoes} würde {found}-mal gebraucht, die Schachtel hat {allowed}: {places}",
    ),
    "check.no_legal_order": Words(
        "it can be cut into dominoes, but not laid by the rules; never reached: {places}",
        "es lässt sich in Dominosteine zerlegen, aber nicht nach den Regeln legen; nie erreicht: "
        "{places}",
    ),
    "check.time_over": Words(
        "looking for the reason took too long; this is one that may not be the smallest",
        "die Suche nach dem Grund dauerte zu lange; dies ist vielleicht nicht der kleinste",
    ),
    "check.dominoes": Words("domino {numbers}", "Domino {numbers}"),
    "check.unknown_domino": Words("a domino of unknown number", "ein Domino unbekannter Nummer"),
}
