"""Bots that need only the protocol; a game's own `choose` calls them by `bot.kind`."""
