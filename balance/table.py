"""What holds at every table, in real play and in a bot's mind: which acts are open, and who has won."""

from balance.protocol import barred, legal


def options(state, rules, bot, acts):
    """Write the legal acts that restricted play leaves to `bot`; all of them if it would leave none."""
    count = legal(state, rules, acts)
    if bot.bars == 0:
        return count
    kept = 0
    for i in range(count):
        if not barred(state, rules, bot, acts[i]):
            acts[kept] = acts[i]
            kept += 1
    return kept if kept > 0 else count


def share_win(row, seat_rows, seats):
    """Give each seat of the k sides that share first place a win share of 1/k; nothing if unfinished."""
    winners = 0
    for seat in range(seats):
        first_of_side = True
        for other in range(seat):
            if seat_rows[other].side == seat_rows[seat].side:
                first_of_side = False
        if first_of_side and seat_rows[seat].rank == 1:
            winners += 1
    for seat in range(seats):
        won = row.finished != 0 and seat_rows[seat].rank == 1
        seat_rows[seat].share = 1.0 / winners if won else 0.0
