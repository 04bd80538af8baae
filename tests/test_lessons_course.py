"""Every lesson of the course: its data are right, and its solution makes every task and prediction come true, in the words of both languages."""
import re

import pytest

from lifecycle.lessons.catalog import folders
from lifecycle.lessons.kinds import is_kind
from lifecycle.lessons.lesson import LANGUAGES
from lifecycle.lessons.loading import load
from lifecycle.lessons.markup import block
from lifecycle.lessons.playing import play
from lifecycle.lessons.questions import drawn, worded
from lifecycle.lessons.wording import texts_of
from lifecycle.simulation.cluster import Cluster

FOLDERS = {folder.name: folder for folder in folders()}
SEEDS = (1, 2)                   # learners get others: what a lesson says must not hang on one


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("seed", SEEDS)
def test_the_solution_makes_every_task_and_prediction_come_true(name, seed):
    played = play(load(FOLDERS[name]), Cluster(seed))
    assert [(task.id, task.missing) for task in played.tasks if task.done is None] == []
    assert [(each.id, each.outcome) for each in played.predictions if not each.fitting] == []


@pytest.mark.parametrize("name", FOLDERS)
def test_every_kind_of_message_that_the_words_name_is_said_in_the_run(name):
    lesson, cluster = load(FOLDERS[name]), Cluster(SEEDS[0])
    play(lesson, cluster)
    said = {step.reason for step in cluster.log.steps}
    texts = [text for words in lesson.words.values() for part in ("tasks", "predictions", "outro") for _key, text in texts_of(words[part])]
    assert {kind for text in texts for kind in re.findall(r"`(\w+)`", text) if is_kind(kind)} - said == set()


@pytest.mark.parametrize("name", FOLDERS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_question_can_be_asked_in_both_languages(name, language):
    lesson = load(FOLDERS[name])
    for question in lesson.questions:
        for seed in range(20):
            asked, options, explanation = worded(drawn(question, str(seed)), lesson.words[language]["questions"][question.id])
            texts = [words for _place, words in options]
            assert asked and explanation and len(texts) == len(set(texts)) >= 2


@pytest.mark.parametrize("name", FOLDERS)
def test_nothing_in_a_lesson_becomes_html_of_its_own(name):
    for words in load(FOLDERS[name]).words.values():
        for task in words["tasks"].values():
            assert "<script" not in block(task["text"]) + block(task["done"])


def test_the_course_has_its_lessons_in_order():
    numbers = [load(folder).number for folder in FOLDERS.values()]
    assert numbers == list(range(1, len(numbers) + 1))
