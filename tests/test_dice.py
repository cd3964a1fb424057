"""The dice: the Python functions against their kernel twins, known answers, and the usual tests of randomness.

All samples are fixed, so nothing here fails by chance; the limits are those a fair die exceeds once in 10,000 times.
"""

from __future__ import annotations

from itertools import combinations, product

import numpy as np
import pytest
from scipy import stats

from simulator import dice

EXTREMES = (0, 1, 2, 2**32 - 1, 2**32, 2**63 - 1, 2**63, 2**64 - 2, 2**64 - 1)
WORDS = tuple(dice.mix(n) for n in range(40))
P_LIMIT = 1e-4
COLOR_STREAM, NUMBER_STREAM = 0, 1  # any two


def faces(seed: int, game: int, roll: int, stream: int = COLOR_STREAM, count: int = 3) -> list[int]:
    return dice.draw(dice.roll_word(dice.game_key(seed, game), roll, stream), 6, count)


def chi_square_p(counts: object) -> float:
    return float(stats.chisquare(np.asarray(counts).ravel()).pvalue)


def independence_p(first: object, second: object) -> float:
    table = np.zeros((6, 6))
    np.add.at(table, (np.asarray(first), np.asarray(second)), 1)
    return chi_square_p(table)


def test_mix_gives_the_known_outputs_of_splitmix64():
    known = [
        6457827717110365317,
        3203168211198807973,
        9817491932198370423,
        4593380528125082431,
        16408922859458223821,
    ]
    assert [dice.mix((1234567 + k * dice.GAME_STEP) & dice.MASK) for k in range(1, 6)] == known


def test_mix_is_a_bijection_on_a_sample():
    assert len({dice.mix(n) for n in range(20_000)}) == 20_000


@pytest.mark.parametrize("seed", EXTREMES)
def test_game_key_twins_agree(seed):
    for game in (*EXTREMES, *WORDS):
        assert int(dice.game_key_kernel(np.uint64(seed), np.uint64(game))) == dice.game_key(seed, game)


def test_roll_word_twins_agree():
    for key, roll, stream in product((*EXTREMES, *WORDS[:8]), (1, 2, 3, 999, 1000), range(16)):
        assert int(dice.roll_word_kernel(np.uint64(key), roll, stream)) == dice.roll_word(key, roll, stream)


def test_draw_twins_agree():
    for word, sides in product((*EXTREMES, *WORDS), (1, 2, 6, 54)):
        drawn, rest = [], np.uint64(word)
        for _ in range(6):
            number, rest = dice.draw_kernel(np.uint64(rest), sides)
            drawn.append(number)
        assert drawn == dice.draw(word, sides, 6)


def test_luck_twins_agree():
    for word, candidate in product((*EXTREMES, *WORDS), (0, 1, 4, 255, 30 * 256 + 3, 105 * 256)):
        assert float(dice.luck_kernel(np.uint64(word), candidate)) == dice.luck(word, candidate)


def test_mix_twins_agree():
    for word in (*EXTREMES, *WORDS):
        assert int(dice.mix_kernel(np.uint64(word))) == dice.mix(word)


@pytest.mark.parametrize("sides", [1, 2, 6, 54])
@pytest.mark.parametrize("word", EXTREMES)
def test_a_draw_is_within_the_sides(word, sides):
    assert all(0 <= side < sides for side in dice.draw(word, sides, 6))


def test_a_die_takes_the_upper_part_of_the_word_first():
    assert dice.draw(0, 6, 3) == [0, 0, 0]
    assert dice.draw(2**63, 6, 2) == [3, 0]
    assert dice.draw(dice.MASK, 6, 3) == [5, 5, 5]


@pytest.mark.parametrize("seed", [0, 1, 2**64 - 1])
@pytest.mark.parametrize("stream", [COLOR_STREAM, NUMBER_STREAM])
def test_faces_and_pairs_of_a_roll_are_equally_likely(seed, stream):
    rolls = np.array([faces(seed, game, roll, stream, 6) for game in range(200) for roll in range(1, 51)])
    for die in range(6):
        assert chi_square_p(np.bincount(rolls[:, die], minlength=6)) > P_LIMIT
    for one, two in combinations(range(6), 2):
        assert independence_p(rolls[:, one], rolls[:, two]) > P_LIMIT


@pytest.mark.parametrize("seed", [1, 2])
def test_triples_of_color_dice_are_equally_likely(seed):
    rolls = np.array([faces(seed, game, roll) for game in range(400) for roll in range(1, 51)])
    table = np.zeros((6, 6, 6))
    np.add.at(table, tuple(rolls.T), 1)
    assert chi_square_p(table) > P_LIMIT


def test_color_dice_and_number_dice_are_independent():
    color = np.array([faces(1, 3, roll, COLOR_STREAM) for roll in range(1, 10_001)])
    number = np.array([faces(1, 3, roll, NUMBER_STREAM) for roll in range(1, 10_001)])
    for one, two in product(range(3), repeat=2):
        assert independence_p(color[:, one], number[:, two]) > P_LIMIT


@pytest.mark.parametrize("step", [1, 2, 3, 4, 6])
def test_neighboring_rolls_are_independent(step):
    rolls = np.array([faces(1, 7, roll) for roll in range(1, 10_001)])
    for one, two in product(range(3), repeat=2):
        assert independence_p(rolls[:-step, one], rolls[step:, two]) > P_LIMIT


@pytest.mark.parametrize("step", [1, 2, 3, 6])
def test_neighboring_games_are_independent(step):
    rolls = np.array([faces(1, game, 1) for game in range(10_000)])
    for one, two in product(range(3), repeat=2):
        assert independence_p(rolls[:-step, one], rolls[step:, two]) > P_LIMIT


def test_neighboring_seeds_are_independent():
    rolls = np.array([faces(seed, 0, 1) for seed in range(10_000)])
    for one, two in product(range(3), repeat=2):
        assert independence_p(rolls[:-1, one], rolls[1:, two]) > P_LIMIT


def test_a_seed_and_the_next_do_not_share_games():
    keys = {dice.game_key(seed, game) for seed in range(100) for game in range(100)}
    assert len(keys) == 10_000


def test_neighboring_seats_have_independent_luck():
    keys = [dice.game_key(1, game) for game in range(4000)]
    luck = np.array([[dice.luck(dice.roll_word(k, 1, dice.LUCK_STREAM + seat), 0) for seat in range(6)] for k in keys])
    for one, two in combinations(range(6), 2):
        assert stats.pearsonr(luck[:, one], luck[:, two]).pvalue > P_LIMIT


@pytest.mark.parametrize("candidate", [0, 1, 2, 5, 7000])
def test_luck_is_uniform_and_independent_of_the_next_candidate(candidate):
    words = [dice.roll_word(dice.game_key(1, game), 1, dice.LUCK_STREAM) for game in range(5000)]
    luck = [dice.luck(word, candidate) for word in words]
    following = [dice.luck(word, candidate + 1) for word in words]
    assert min(luck) >= 0.0
    assert max(luck) < 1.0
    assert stats.kstest(luck, "uniform").pvalue > P_LIMIT
    assert stats.pearsonr(luck, following).pvalue > P_LIMIT


def test_luck_is_uniform_over_the_candidates_of_one_choice():
    word = dice.roll_word(dice.game_key(5, 9), 12, dice.LUCK_STREAM)
    assert stats.kstest([dice.luck(word, candidate) for candidate in range(5000)], "uniform").pvalue > P_LIMIT
