"""`manage.py play_lesson [SLUG]`: plays the solutions of lessons without database or server, and says what came true."""
from django.core.management.base import BaseCommand, CommandError

from lifecycle.lessons.catalog import folders
from lifecycle.lessons.lesson import LANGUAGES
from lifecycle.lessons.loading import LessonError, load
from lifecycle.lessons.playing import play
from lifecycle.lessons.questions import drawn, worded
from lifecycle.simulation.cluster import Cluster


class Command(BaseCommand):
    help = "Plays the solution of a lesson, or of all, in virtual time: tasks and when they were done, predictions and what the run answered, questions."
    requires_system_checks = ()

    def add_arguments(self, parser):
        parser.add_argument("slugs", nargs="*", metavar="SLUG", help="lessons to play, by slug or folder (all)")
        parser.add_argument("--seed", type=int, default=1, help="of the cluster's random names and choices (1)")
        parser.add_argument("--language", choices=LANGUAGES, default="en")

    def handle(self, *, slugs, seed, language, **options):
        found = [folder for folder in folders() if not slugs or folder.name in slugs or folder.name.partition("-")[2] in slugs]
        if not found:
            raise CommandError(f"there is no lesson {' '.join(slugs)}")
        bad = [folder.name for folder in found if not self.play(folder, seed, language)]
        if bad:
            raise CommandError(f"not as it should be: {', '.join(bad)}")

    def play(self, folder, seed, language):
        """Play one lesson and print what happened; whether everything came true."""
        try:
            lesson = load(folder)
            played = play(lesson, Cluster(seed))
        except (LessonError, ValueError) as error:
            self.stdout.write(self.style.ERROR(str(error)))
            return False
        words = lesson.words[language]
        self.stdout.write(f"{folder.name}: {words['title']} - {played.messages} messages, {played.now / 1000:.3f} s")
        for task in played.tasks:
            self.of_task(task, words["tasks"][task.id])
        for prediction in played.predictions:
            self.of_prediction(prediction, words["predictions"][prediction.id])
        for question in lesson.questions:
            self.of_question(drawn(question, str(seed)), words["questions"][question.id])
        return played.right

    def of_task(self, task, words):
        if task.done is not None:
            late = f", {task.late / 1000:.3f} s after its last line" if task.late else ""
            self.stdout.write(f"  task {task.id}: done at {task.done / 1000:.3f} s{late}")
            return
        self.stdout.write(self.style.ERROR(f"  task {task.id}: NOT DONE"))
        for check, number in task.missing:
            self.stdout.write(self.style.ERROR(f"    missing: {check} ({number} so far): {words['checks'][check]}"))

    def of_prediction(self, prediction, words):
        if prediction.outcome is None:
            self.stdout.write(self.style.ERROR(f"  prediction {prediction.id}: NOT ANSWERED"))
        else:
            told = words.get("options", {}).get(prediction.outcome, "")
            note = "" if prediction.fitting else "  NOT AMONG THE OPTIONS"
            self.stdout.write(f"  prediction {prediction.id}: {prediction.outcome} (message {prediction.seq}) {told}{note}")

    def of_question(self, found, words):
        question, options, explanation = worded(found, words)
        answers = " | ".join(f"{'*' if place == 0 else ''}{option}" for place, option in options)
        self.stdout.write(f"  question: {question}\n    {answers}\n    {explanation}")
