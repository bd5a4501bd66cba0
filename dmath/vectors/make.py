#!/usr/bin/env python3
"""Makes dmath's tables and vectors with mpmath at 200 bits: independent of the Rust code, which never writes them.

    python3 make.py vectors > vectors.txt
    python3 make.py tables              prints the constants in src/tables.rs

A line of vectors.txt: the function, its arguments as integers, and the true result in 1/2^20 of the result's last
place, rounded down. `full` stands for a true result beyond the range. mpmath 1.3 made what is committed.
"""
import random
import sys
from mpmath import mp, mpf, sin, cos, atan2, atan, log, floor, pi, sqrt

mp.prec = 200
SCALE = 2**20
Q = 2**32
MAX = 2**64 - 1


def out(name, args, true):
    text = "full" if true is None else str(int(floor(true * SCALE)))
    print(name, *args, text)


def unsigned(true):
    """In 1/2^32, or None beyond the range."""
    return None if true * Q > MAX else true * Q


def angles(rng):
    edge = [0, 1, 2, 2**30 - 1, 2**30, 2**30 + 1, 2**31 - 1, 2**31, 2**31 + 1, 3 * 2**30, 2**32 - 1, 2**29, 2**29 + 1]
    return edge + [rng.randrange(2**32) for _ in range(500)]


def pairs(rng):
    edge = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, 1), (1, -1), (-1, -1), (2**63 - 1, -(2**63)), (-(2**63), -(2**63)),
            (-(2**63), 0), (0, -(2**63)), (1, 2**63 - 1), (2**63 - 1, 1), (-1, 2**63 - 1), (3, 4), (-1, -(2**63))]
    wide = lambda: rng.choice([-1, 1]) * rng.randrange(2 ** rng.randrange(1, 64))
    return edge + [(wide(), wide()) for _ in range(500)]


def positives(rng):
    edge = [1, 2, 3, Q - 1, Q, Q + 1, 2 * Q, 3 * Q, MAX, MAX - 1, 2**63, 2**63 - 1]
    return edge + [rng.randrange(1, 2 ** rng.randrange(1, 65)) for _ in range(500)]


def vectors():
    rng = random.Random(16)
    for a in angles(rng):
        turn = mpf(a) / Q * 2 * pi
        out("sin", [a], sin(turn) * 2**30)
        out("cos", [a], cos(turn) * 2**30)
    for y, x in pairs(rng):
        if (y, x) != (0, 0):
            turns = atan2(mpf(y), mpf(x)) / (2 * pi)
            out("atan2", [y, x], (turns % 1) * Q)
        out("hypot", [y, x], sqrt(mpf(y) ** 2 + mpf(x) ** 2))
    for v in positives(rng):
        real = mpf(v) / Q
        out("sqrt", [v], sqrt(real) * Q)
        out("log2", [v], log(real, 2) * Q)
        out("ln", [v], log(real) * Q)
    exponents = [0, 1, -1, Q, -Q, Q // 2, 31 * Q, 32 * Q - 1, 32 * Q, -32 * Q, -33 * Q, -34 * Q, -(2**63), 2**63 - 1]
    exponents += [rng.randrange(-34 * Q, 33 * Q) for _ in range(800)]
    for e in exponents:
        # Beyond these the result is a range's end or nothing, and 2**e itself cannot be held.
        if e > 40 * Q:
            out("exp2", [e], None)
        elif e < -60 * Q:
            out("exp2", [e], mpf(0))
        else:
            out("exp2", [e], unsigned(mpf(2) ** (mpf(e) / Q)))
    for _ in range(1000):
        base = rng.choice([rng.randrange(1, 2 ** rng.randrange(1, 65)), Q + rng.randrange(-(2**24), 2**24), rng.randrange(1, 32 * Q)])
        power = rng.choice([rng.randrange(-4 * Q, 5 * Q), rng.randrange(-64 * Q, 64 * Q), rng.choice([-1, 1]) * rng.randrange(2 ** rng.randrange(1, 44)), rng.randrange(-3, 9) * Q])
        true = mpf(base) / Q
        exponent = mpf(power) / Q * log(true, 2)
        out("pow", [base, power], None if exponent > 40 else mpf(0) if exponent < -60 else unsigned(mpf(2) ** exponent))


def tables():
    def q(value, bits):
        return int(floor(value * mpf(2) ** bits + mpf(1) / 2))

    print("SIN: (pi/2)^k/k!, k odd, in 1/2^60")
    value = pi / 2
    k = 1
    while k <= 19:
        print(f"    0x{q(value, 60):016x},")
        value = value * (pi / 2) ** 2 / ((k + 1) * (k + 2))
        k += 2
    print("ATAN: atan(k/64) in turns, in 1/2^62")
    for k in range(65):
        print(f"    0x{q(atan(mpf(k) / 64) / (2 * pi), 62):016x},")
    print("RADIAN: 1/(2 pi) in 1/2^62", hex(q(1 / (2 * pi), 62)))
    print("EXP2: 2^(2^-k) in 1/2^63, k from 1")
    for k in range(1, 57):
        print(f"    0x{q(mpf(2) ** (mpf(2) ** -k), 63):016x},")
    print("LN2 in 1/2^64", hex(q(log(mpf(2)), 64)))


tables() if sys.argv[1:] == ["tables"] else vectors()
