"""Counter-based random streams: a draw depends on (seed, number, purpose, event, index) alone.

Philox4x32-10 after J. Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011),
doi:10.1145/2063384.2063405. A stream is keyed by the seed, the number of the game or block, and
its purpose. Within it, `at` moves to the draws of one event, so that a draw left out here (a rule
variant, another bot) does not shift the draws of a later event.
"""

import numpy as np

STREAM = np.dtype([("key", "u8", 2), ("counter", "u8", 4), ("block", "u8", 4), ("left", "i4")], align=True)

_MULTIPLY_A, _MULTIPLY_B = np.uint64(0xD2511F53), np.uint64(0xCD9E8D57)
_WEYL_A, _WEYL_B = np.uint64(0x9E3779B9), np.uint64(0xBB67AE85)
_LOW, _HALF, _ONE = np.uint64(0xFFFFFFFF), np.uint64(32), np.uint64(1)
_SIXTEEN = np.uint64(16)
_UNIT = 1.0 / 4294967296.0


def refill(stream):
    """Encrypt the counter into four fresh 32-bit words and step the counter. Modified in place."""
    a, b = stream.counter[0], stream.counter[1]
    c, d = stream.counter[2], stream.counter[3]
    k, w = stream.key[0], stream.key[1]
    for _ in range(10):
        p, q = _MULTIPLY_A * a, _MULTIPLY_B * c
        a, b, c, d = (q >> _HALF) ^ b ^ k, q & _LOW, (p >> _HALF) ^ d ^ w, p & _LOW
        k, w = (k + _WEYL_A) & _LOW, (w + _WEYL_B) & _LOW
    stream.block[0], stream.block[1] = a, b
    stream.block[2], stream.block[3] = c, d
    stream.counter[0] = (stream.counter[0] + _ONE) & _LOW
    stream.left = 4


def start(stream, seed, number, purpose):
    """Key `stream`: `seed` below 2**64, `number` (of a game or block) below 2**48, `purpose` below 2**16."""
    stream.key[0] = np.uint64(seed) & _LOW
    stream.key[1] = np.uint64(seed) >> _HALF
    stream.counter[0] = 0
    stream.counter[1] = 0
    stream.counter[2] = np.uint64(number) & _LOW
    stream.counter[3] = (np.uint64(number) >> _HALF) | (np.uint64(purpose) << _SIXTEEN)
    stream.left = 0


def at(stream, event):
    """Move to the first draw of `event`, a number from 0 below 2**32 that the game chooses."""
    stream.counter[0] = 0
    stream.counter[1] = np.uint64(event) & _LOW
    stream.left = 0


def below(stream, n):
    """Draw an integer from 0 to `n - 1` (bias below n / 2**32)."""
    if stream.left == 0:
        refill(stream)
    stream.left -= 1
    return np.int64((stream.block[stream.left] * np.uint64(n)) >> _HALF)


def unit(stream):
    """Draw a float from 0 (inclusive) to 1 (exclusive), in steps of 2**-32."""
    if stream.left == 0:
        refill(stream)
    stream.left -= 1
    return np.float64(stream.block[stream.left]) * _UNIT


def shuffle(stream, pieces, count):
    """Shuffle the first `count` of `pieces` in place (Fisher and Yates)."""
    for last in range(count - 1, 0, -1):
        other = below(stream, last + 1)
        piece = pieces[last]
        pieces[last] = pieces[other]
        pieces[other] = piece
