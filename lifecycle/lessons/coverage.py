"""The table that says where each statement of the source documents is carried: by which lessons, and by which messages. `docs/course.md` keeps it."""
from ..statements import all, points, shown
from .catalog import catalog

HEAD = """# What the course carries

Every statement of the two source documents, and the ten points to take away, with the lessons that carry it and the kinds of messages that show it.
The verdict says whether Kubernetes does what the document says: KEEP (yes), NOTE (yes, but to be made precise), FIX (no; the lesson shows what it does).

`manage.py course` writes this file; a test keeps it up to date.
"""
COLUMNS = ("statement", "verdict", "what it is about", "lessons", "messages")
TITLES = {
    "flow": "The first document: creation and deletion, step by step", "pod": "The second document: the life of a Pod",
    "points": "Ten points to take away",
}


def table_of_course():
    """The text of docs/course.md."""
    rows = {"flow": [], "pod": [], "points": []}
    for each in all():
        rows[each.document].append((each.id, each.verdict, about(each), lessons(each.id), messages(each.id)))
    for each in points():
        rows["points"].append((each.id, "", each.text["en"], lessons(each.id), messages(each.id)))
    return "\n".join([HEAD, *(line for name, title in TITLES.items() for line in section(title, rows[name]))])


def about(statement):
    """Its title, or the words of a statement without one under the heading where it stands."""
    return statement.title.get("en") or f"{statement.section['en']}: {statement.text['en'].replace('- ', '', 1)}".replace("\n- ", " ")


def section(title, rows):
    yield from (f"## {title}", "", line(COLUMNS), line("---" for _ in COLUMNS))
    yield from map(line, rows)
    yield ""


def line(cells):
    return f"| {' | '.join(cells)} |"


def lessons(id):
    """The slugs of the lessons that carry a statement."""
    return ", ".join(slug for slug, lesson in catalog().items() if id in lesson.statements)


def messages(id):
    return ", ".join(f"`{kind}`" for kind in dict.fromkeys(each.kind for each in shown(id)))
