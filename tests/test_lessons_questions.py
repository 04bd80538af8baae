"""Questions with fresh numbers."""
from lifecycle.lessons.lesson import Question
from lifecycle.lessons.questions import drawn, worded

SURGE = Question("surge", ("replicas + replicas * percent / 100", "replicas * percent / 100", "replicas"), {"replicas": [4, 20], "percent": [10, 20, 25, 50]})
WORDS = {"question": "{replicas} replicas, {percent} %?", "explanation": "{replicas} and a share: {answer}"}


def test_two_numbers_are_a_range_and_more_are_a_choice():
    found = [drawn(SURGE, str(seed)).numbers for seed in range(200)]
    assert {each["percent"] for each in found} == {10, 20, 25, 50}
    assert {each["replicas"] for each in found} == set(range(4, 21))


def test_the_first_option_is_right_wherever_it_is_shown():
    for seed in range(50):
        found = drawn(SURGE, str(seed))
        replicas, percent = found.numbers["replicas"], found.numbers["percent"]
        assert found.answer == str(replicas + replicas * percent // 100)
    assert {drawn(SURGE, str(seed)).order.index(0) for seed in range(50)} == {0, 1, 2}


def test_equal_options_are_shown_once():
    same = Question("same", ("number", "number * 1", "number + 1"), {"number": [1, 9]})
    found = drawn(same, "1")
    assert sorted(found.order) == [0, 2]


def test_the_same_seed_gives_the_same_question_and_another_one_another():
    assert drawn(SURGE, "1 1 0") == drawn(SURGE, "1 1 0")
    assert len({tuple(drawn(SURGE, f"1 1 {round}").numbers.values()) for round in range(20)}) > 5


def test_words_stand_around_the_values():
    found = drawn(SURGE, "1")
    question, options, explanation = worded(found, {**WORDS, "options": ["{0} Pods", "{1} Pods", "{replicas} of them"]})
    assert question == f"{found.numbers['replicas']} replicas, {found.numbers['percent']} %?"
    assert dict(options)[0] == f"{found.answer} Pods" and dict(options).get(2, f"{found.numbers['replicas']} of them").endswith("of them")
    assert explanation.endswith(f"{found.answer} Pods")
