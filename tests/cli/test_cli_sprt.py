"""`gyoji sprt`: what is typed, what is printed."""

import json

import pytest
from click.testing import CliRunner

from gyoji.cli.app import app


def gyoji(*words):
    return CliRunner().invoke(app, ["sprt", *map(str, words)])


PAIRS = (365, 16618, 36229, 16974, 390)
SHOWN = """\
test      normalized: H0 0 nElo, H1 2 nElo, alpha 0.05, beta 0.05
results   70576 pairs: 365 of 0, 16618 of ½, 36229 of 1, 16974 of 1½, 390 of 2 points
LLR       2.250, bounds -2.944 (H0) and 2.944 (H1)
decision  continue
Elo       1.00, 95% 0.08 to 1.92, by the pentanomial score method
          1.00, 95% 0.08 to 1.92, by Wald's method, as fishtest and fastchess
          0.93, 95% -0.05 to 1.88, unbiased by stopping
nElo      1.96 +/- 1.81
LOS       98.31% by the pentanomial score method, 98.31% by Wald's, 96.87% unbiased by stopping
draws     51.33%; 1.02 pairs won for each lost
expected  160359 games if H0 is true, 262631 half way, 160338 if H1 is true
"""


def test_pairs_are_told_from_all_sides():
    result = gyoji("--elo1", 2, *PAIRS)
    assert (result.exit_code, result.stderr) == (0, "")
    assert result.stdout == SHOWN


def test_three_counts_are_won_drawn_lost():
    lines = gyoji("--elo1", 2, 36433, 68692, 36027).stdout.splitlines()
    assert lines[1:4] == [
        "results   141152 games: 36433 won, 68692 drawn, 36027 lost",
        "LLR       0.923, bounds -2.944 (H0) and 2.944 (H1)",
        "decision  continue",
    ]


@pytest.mark.parametrize(
    ("words", "decision"),
    [
        (("--elo0", -1.75, "--elo1", 0.25, 127, 4883, 10712, 5150, 104), "accept H1"),
        (("--model", "logistic", "--elo0", 0.5, "--elo1", 2.5, 223, 9863, 21279, 10037, 246), "accept H0"),
        (("--model", "cutechess", "--elo1", 6, 716, 2163, 591), "accept H1"),
        (("--model", "bayesian", "--elo1", 6, "--alpha", 0.03, 716, 2163, 591), "continue"),
        (("--model", "cutechess", "--elo1", 6, "--alpha", 0.03, 716, 2163, 591), "accept H1"),
    ],
)
def test_the_model_and_the_rates_decide(words, decision):
    assert json.loads(gyoji("--json", *words).stdout)["decision"] == decision


@pytest.mark.parametrize(
    ("model", "line"),
    [
        ("normalized", "test      normalized: H0 0 nElo, H1 6 nElo,"),
        ("logistic", "test      logistic: H0 0 Elo, H1 6 Elo,"),
        ("bayesian", "test      bayesian: H0 0 BayesElo, H1 6 BayesElo,"),
    ],
)
def test_the_unit_of_the_hypotheses_is_named(model, line):
    assert gyoji("--model", model, "--elo1", 6, 30, 20, 10).stdout.startswith(line)


def test_without_counts_it_says_how_long_a_test_takes():
    assert gyoji("--elo0", 0, "--elo1", 10).stdout == (
        "test      normalized: H0 0 nElo, H1 10 nElo, alpha 0.05, beta 0.05\n"
        "expected  6441 games if H0 is true, 10567 half way, 6439 if H1 is true\n"
    )


@pytest.mark.parametrize(
    ("counts", "elo"),
    [
        ((10, 0, 0), "no upper limit, 95% 166.20 to no upper limit, by the Wilson score method"),
        ((0, 0, 10), "no lower limit, 95% no lower limit to -166.20, by the Wilson score method"),
        ((0, 10, 0), "0.00, 95% -99.02 to 99.02, by the trinomial score method"),
        ((0, 0, 0, 0, 10), "no upper limit, 95% 166.20 to no upper limit, by the pentanomial score method"),
    ],
)
def test_results_that_are_all_the_same_have_an_interval_and_words(counts, elo):
    result = gyoji(*counts)
    assert result.exit_code == 0
    assert f"Elo       {elo}\n          all results are the same: no Elo that is unbiased" in result.stdout
    assert "nan" not in result.stdout
    assert "inf" not in result.stdout


def test_a_limit_that_is_none_has_words_and_is_null():
    text = gyoji(3, 0, 1).stdout
    assert "190.85, 95% -146.66 to 528.36, by the Wilson score method" in text
    assert "190.85, 95% -126.45 to no upper limit, by Wald's method" in text
    values = json.loads(gyoji("--json", 3, 0, 1).stdout)
    assert values["interval_95"] == pytest.approx([-146.66, 528.36], abs=0.01)
    assert values["wald"]["interval_95"][1] is values["unbiased"]["interval_95"][1] is None
    assert json.loads(gyoji("--json", 4, 0, 0).stdout)["wald"] is None


def test_json_says_all_of_it():
    values = json.loads(gyoji("--json", "--elo1", 2, *PAIRS).stdout)
    assert values["llr"] == pytest.approx(2.2504, abs=1e-4)
    assert (values["elo"], values["margin_95"]) == pytest.approx((0.9993, 0.9231), abs=1e-4)
    assert values["method"] == "pentanomial score method"
    assert values["wald"]["margin_95"] == pytest.approx(0.9231, abs=1e-4)
    assert values["normalized_margin_95"] == pytest.approx(1.8126, abs=1e-4)
    assert values["bounds"] == pytest.approx([-2.9444, 2.9444], abs=1e-4)
    assert values["unbiased"]["elo"] == pytest.approx(0.9321, abs=1e-4)
    assert values["expected"]["elo1"]["accepts_h1"] == pytest.approx(0.95, abs=1e-3)
    assert (values["model"], values["pairs"], values["counts"]) == ("normalized", True, list(PAIRS))


def test_json_without_counts_has_no_strength():
    values = json.loads(gyoji("--json").stdout)
    assert values["elo"] is values["unbiased"] is values["mean"] is None
    assert values["llr"] == 0


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((1, 2), "expected 3 counts, of games won, drawn and lost, or 5, of pairs from 0 to 2 points; got 2"),
        (("--elo0", 5, 1, 2, 3), "expected -400 <= elo0 < elo1 <= 400, got 5 and 5"),
        (("--alpha", 0.7, 1, 2, 3), "alpha: expected a number between 0 and 0.5, got 0.7"),
        (("--model", "cutechess", *PAIRS), "the model cutechess is of single games, not of pairs"),
        (("--model", "elo", 1, 2, 3), "'elo' is not one of"),
        (("--", -1, 2, 3), "-1 is not in the range"),
        (("x", 2, 3), "'x' is no number"),
    ],
)
def test_what_makes_no_test_is_one_line(words, message):
    result = gyoji(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
