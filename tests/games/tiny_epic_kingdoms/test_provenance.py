"""What a report says of its data: tokens are named where they are played with, and only there."""

from __future__ import annotations

import pytest

from balance import description, design, scenario


@pytest.mark.parametrize("exploration", [False, True])
def test_the_number_of_tokens_is_told_to_be_reconstructed_where_they_are_in_play(exploration):
    text = 'game = "tiny-epic-kingdoms"\nplayers = 4\n[bots.random]\n[rules]\nexploration = '
    asked = scenario.parse(text + str(exploration).lower())
    cells = design.cells(asked)
    lines = description.provenance(cells, [design.lineups(asked, cell) for cell in cells])
    tokens = {line["what"]: line["certainty"] for line in lines if line["what"].startswith("tokens.")}
    assert (tokens.get("tokens.crown") == "reconstructed") == exploration
    assert bool(tokens) == exploration
