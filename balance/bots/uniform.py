"""The random bot: every legal act is as likely as any other."""

from balance.dice import below


def uniform(acts, count, rng):
    """Return one of the first `count` of `acts`, each with the same chance."""
    return acts[below(rng, count)]
