"""What people read on the pages of the games of pip dominoes."""

from __future__ import annotations

from companion.languages.words import Words

__all__ = ["WORDS"]

WORDS = {
    "domino_page.title.mexican_train": Words("Mexican Train", "Mexican Train"),
    "domino_page.title.chickenfoot": Words("Chickenfoot", "Chickenfoot"),
    "domino_page.title.muggins": Words("Muggins", "Muggins"),
    "domino_page.title.castle_rock": Words("Castle Rock", "Castle Rock"),
    "domino_page.who_plays": Words("Who plays?", "Wer spielt mit?"),
    "domino_page.who_plays_alone": Words("Who plays?", "Wer spielt?"),
    "domino_page.add": Words("Add a name", "Name dazu"),
    "domino_page.leave": Words("{name} does not play", "{name} spielt nicht mit"),
    "domino_page.earlier": Words("{name} sits further to the front", "{name} weiter nach vorn"),
    "domino_page.set": Words("Which set?", "Welcher Satz?"),
    "domino_page.double_set": Words("Double {set}", "Doppel-{set}"),
    "domino_page.never_photographed": Words(
        "Photos of this set were never checked, only drawings of one: please look twice.",
        "Fotos dieses Satzes wurden nie geprüft, nur Zeichnungen davon: bitte genau hinsehen.",
    ),
    "domino_page.rounds": Words("How many rounds?", "Wie viele Runden?"),
    "domino_page.all_rounds": Words("All {rounds}", "Alle {rounds}"),
    "domino_page.first": Words("Who starts?", "Wer beginnt?"),
    "domino_page.target": Words("Up to how many points?", "Bis zu wie vielen Punkten?"),
    "domino_page.singles": Words("Each alone, no teams", "Jeder für sich, ohne Mannschaften"),
    "domino_page.teams": Words(
        "{one} against {other}: partners sit opposite.",
        "{one} gegen {other}: Partner sitzen sich gegenüber.",
    ),
    "domino_page.challenge": Words("What counts?", "Was zählt?"),
    "domino_page.challenge.pips": Words("Fewest pips left", "Wenigste Augen übrig"),
    "domino_page.challenge.clock": Words("Against the clock", "Auf Zeit"),
    "domino_page.draw": Words(
        "Each draws {draw} dominoes, {boneyard} stay in the boneyard.",
        "Jeder zieht {draw} Steine, {boneyard} bleiben im Talon.",
    ),
    "domino_page.not_in_table": Words(
        "The rules know no draw for {players} players with this set: agree on one.",
        "Die Regel kennt für {players} Spieler mit diesem Satz keine Zahl: bitte selbst einigen.",
    ),
    "domino_page.row": Words(
        "Lay {draw} dominoes face up side by side.", "{draw} Steine offen nebeneinander legen."
    ),
    "domino_page.start": Words("Start", "Los geht’s"),
    "domino_page.too_few": Words("Two or more play.", "Es spielen mindestens zwei."),
    "domino_page.muggins_players": Words(
        "Muggins is for two to four.", "Muggins spielen zwei bis vier."
    ),
    "domino_page.name_needed": Words("A name first, please.", "Bitte erst einen Namen."),
    "domino_page.round": Words("Round {number} of {rounds}", "Runde {number} von {rounds}"),
    "domino_page.round_only": Words("Round {number}", "Runde {number}"),
    "domino_page.starts": Words("{name} starts.", "{name} beginnt."),
    "domino_page.in_the_middle": Words("In the middle", "In der Mitte"),
    "domino_page.photo_of": Words("Photo: {name}", "Foto: {name}"),
    "domino_page.photo": Words("Photo", "Foto"),
    "domino_page.photo_again": Words("Another photo", "Neues Foto"),
    "domino_page.out": Words("Out", "Fertig"),
    "domino_page.out_of": Words("{name} is out", "{name} hat alles abgelegt"),
    "domino_page.by_hand": Words("By hand: {name}", "Von Hand: {name}"),
    "domino_page.check": Words("Check {name}: {count}", "{name} prüfen: {count}"),
    "domino_page.hand_of": Words(
        "{name}, round {number}: {points}", "{name}, Runde {number}: {points}"
    ),
    "domino_page.total": Words("Total", "Gesamt"),
    "domino_page.so_far": Words("{points} so far", "bisher {points}"),
    "domino_page.sheet": Words("Score sheet", "Punkteblatt"),
    "domino_page.sheet_empty": Words(
        "The first round fills the sheet.", "Die erste Runde füllt das Blatt."
    ),
    "domino_page.finish": Words(
        "Finish after round {number}", "Nach Runde {number} Schluss machen"
    ),
    "domino_page.go_on": Words("Play on", "Weiterspielen"),
    "domino_page.finished": Words(
        "The game ends after round {number}.", "Die Partie endet nach Runde {number}."
    ),
    "domino_page.again": Words("Next game, same people", "Nächste Partie, gleiche Runde"),
    "domino_page.wins": Words("{name} wins with {points}", "{name} gewinnt mit {points}"),
    "domino_page.team_wins": Words("{names} win with {points}", "{names} gewinnen mit {points}"),
    "domino_page.shared": Words(
        "{names} share the win with {points}", "{names} teilen sich den Sieg mit {points}"
    ),
    "domino_page.with_point": Words("1 point", "1 Punkt"),
    "domino_page.with_points": Words("{count} points", "{count} Punkten"),
    "domino_page.check_first": Words(
        "All hands are there. Check these, then we know who wins.",
        "Alle Hände sind da. Bitte noch prüfen, dann steht fest, wer gewinnt.",
    ),
    "domino_page.leads": Words("{name} leads", "{name} führt"),
    "domino_page.penalty": Words("Penalty, 50 points", "Strafe, 50 Punkte"),
    "domino_page.penalty_less": Words("One penalty fewer", "Eine Strafe weniger"),
    "domino_page.penalties": Words("Penalties: {count}", "Strafen: {count}"),
    "domino_page.remove_hand": Words("Not played yet", "Doch noch nicht gespielt"),
    "domino_page.back_to_game": Words("Back to the game", "Zurück zur Partie"),
    "domino_page.done": Words("Done", "Fertig"),
    "domino_page.nothing_left": Words("Nothing left", "Nichts übrig"),
    "domino_page.read": Words("{name}: {points}", "{name}: {points}"),
    "domino_page.warning.closer": Words(
        "Some dominoes are too small on the photo. Please take it from closer.",
        "Einige Steine sind auf dem Foto zu klein. Bitte näher herangehen.",
    ),
    "domino_page.warning.unread": Words(
        "Something on the photo looks like a domino and was not read.",
        "Etwas auf dem Foto sieht aus wie ein Stein und wurde nicht gelesen.",
    ),
    "domino_page.warning.cut_off": Words(
        "A domino reaches beyond the edge of the photo.", "Ein Stein ragt über den Bildrand hinaus."
    ),
    "domino_page.warning.other_set": Words(
        "The photo looks like double {set}.", "Das Foto sieht nach Doppel-{set} aus."
    ),
    "domino_page.round_over": Words("The round is over", "Runde zu Ende"),
    "domino_page.what_is_left": Words("What has everybody left?", "Was hat jeder noch?"),
    "domino_page.play_on": Words("Back to the round", "Zurück zur Runde"),
    "domino_page.this_round": Words("Points of this round", "Punkte dieser Runde"),
    "domino_page.play": Words("{name}: {points}", "{name}: {points}"),
    "domino_page.play_called": Words(
        "{name}: {points}, missed by {player}", "{name}: {points}, von {player} übersehen"
    ),
    "domino_page.by_play": Words("Plays", "Züge"),
    "domino_page.at_the_end": Words("End", "Ende"),
    "domino_page.to_target": Words("First to {target} wins.", "Wer zuerst {target} hat, gewinnt."),
    "domino_page.end_points": Words(
        "{name} gets {points} for the round.", "{name} bekommt {points} für die Runde."
    ),
    "domino_page.nobody": Words(
        "Nobody gets points for the round: the fewest pips are shared.",
        "Niemand bekommt Punkte für die Runde: die wenigsten Augen sind geteilt.",
    ),
    "domino_page.left": Words("What is left?", "Was ist übrig?"),
    "domino_page.castle_won": Words("Won: nothing is left!", "Gewonnen: nichts ist übrig!"),
    "domino_page.castle_left": Words("{tiles} left with {pips}", "{tiles} übrig mit {pips}"),
    "domino_page.best": Words("Your best, double {set}", "Deine Besten, Doppel-{set}"),
    "domino_page.best_none": Words("The first result starts the list.", "Der erste Eintrag fehlt."),
    "domino_page.pips": Words("Pips", "Augen"),
    "domino_page.tiles": Words("Dominoes", "Steine"),
    "domino_page.time": Words("Time", "Zeit"),
    "domino_page.this_one": Words("this one", "diese"),
    "domino_page.clock": Words("Clock", "Uhr"),
    "domino_page.photo_of_left": Words("Photograph what is left", "Rest fotografieren"),
    "hand.view.photo": Words("Photo", "Foto"),
    "hand.view.tiles": Words("Dominoes", "Steine"),
    "hand.view.number": Words("Number", "Zahl"),
    "hand.views": Words("How to count", "Wie gezählt wird"),
    "hand.photo": Words("The photo of the hand", "Das Foto der Hand"),
    "hand.tile": Words("{tile}", "{tile}"),
    "hand.tile_doubtful": Words("{tile}, please check", "{tile}, bitte prüfen"),
    "hand.tile_of": Words("{tile}, {name} has it", "{tile}, den hat {name}"),
    "hand.tiles.one": Words("1 domino", "1 Stein"),
    "hand.tiles.several": Words("{count} dominoes", "{count} Steine"),
    "hand.counted": Words("counted", "gezählt"),
    "hand.with_blank": Words("{pips} + 50 double blank", "{pips} + 50 leerer Stein"),
    "hand.check": Words("Check {count}", "{count} prüfen"),
    "hand.tap_tiles": Words("Tap the dominoes that are left.", "Tippe an, was noch da ist."),
    "hand.with_number": Words("With this number", "Mit dieser Zahl"),
    "hand.set": Words("Dominoes of the set", "Steine des Satzes"),
    "hand.erase": Words("Delete the last", "Letztes löschen"),
    "hand.take": Words("Take this number", "Zahl übernehmen"),
    "hand.blank_question": Words("Is the double blank among them?", "Ist der leere Stein dabei?"),
    "hand.blank_no": Words("No", "Nein"),
    "hand.blank_yes": Words("Yes, 50 more", "Ja, 50 dazu"),
    "hand.blank_sure": Words(
        "Is this the double blank? It costs 50.", "Ist das der leere Stein? Er kostet 50."
    ),
    "hand.sure": Words("Is this right?", "Stimmt das?"),
    "hand.twice": Words(
        "{tile} is there twice; a set has it once.",
        "{tile} ist zweimal da, es gibt ihn nur einmal.",
    ),
    "hand.right": Words("That’s right", "Stimmt"),
    "hand.rather": Words("Rather {tile}", "Eher {tile}"),
    "hand.remove": Words("Take this domino away", "Diesen Stein wegnehmen"),
    "hand.half.low": Words("One half", "Eine Hälfte"),
    "hand.half.high": Words("The other half", "Die andere Hälfte"),
    "keypad.who": Words("Who laid?", "Wer hat gelegt?"),
    "keypad.points": Words("Points", "Punkte"),
    "keypad.ends": Words("Add up", "Rechnen"),
    "keypad.missed": Words("Missed: “Muggins!”", "Übersehen: „Muggins!“"),
    "keypad.who_called": Words("Who called it?", "Wer hat es gerufen?"),
    "keypad.tap_ends": Words("Tap the open ends.", "Tippe die offenen Enden an."),
    "keypad.free": Words("Free halves", "Freie Hälften"),
    "keypad.doubles": Words("Doubles lying crosswise", "Quer liegende Doppelsteine"),
    "keypad.double": Words("Double {number}", "Doppel-{number}"),
    "keypad.take": Words("Take {points}", "{points} nehmen"),
    "keypad.no_points": Words("Not divisible by five.", "Nicht durch fünf teilbar."),
    "clock.start": Words("Start the clock", "Uhr starten"),
    "clock.stop": Words("Stop", "Anhalten"),
    "clock.reset": Words("Back to zero", "Auf null"),
    "domino_page.sync_late": Words(
        "No connection. It will be sent when it is back.",
        "Keine Verbindung. Wird gesendet, sobald sie da ist.",
    ),
    "domino_page.point": Words("point", "Punkt"),
    "domino_page.points": Words("points", "Punkte"),
}
