"""The sequence diagrams of the source documents, laid out: places in CSS pixels of the picture."""
import unicodedata
from typing import NamedTuple

from ..statements import diagrams

LANE, LEFT, TOP, ROW = 112, 64, 62, 36                  # between lifelines; first lifeline; first row; a message
LETTER, WIDE = 6.4, 12.2                                # width of a Latin letter and of a Chinese one
LOOP = 30                                               # how far a message to oneself reaches
SMALL = {"end": 10, "alt": 30}                          # height of the rows that are no messages
GAP = 8                                                 # between words and what is around them
PAD = 52                                                # from the outer lifeline of a frame to its edge


class Lifeline(NamedTuple):
    actor: str
    names: list                    # in one or two lines: (words, how far above the middle)
    x: int


class Arrow(NamedTuple):
    """A message: `path` is the line, `text_x` where its words begin, `id` the statement."""

    id: str
    actor: str
    path: str
    y: int
    text_x: int
    text: str


class Frame(NamedTuple):
    """A branch around messages ("alt"), or a note."""

    id: str
    x: int
    y: int
    width: int
    height: int
    text: str


class Sequence(NamedTuple):
    width: int
    height: int
    lifelines: list
    arrows: list
    frames: list
    notes: list


def sequence(name, language):
    """The Sequence called "creation" or "deletion" in a language of the explanations."""
    found, names = diagrams()[name], diagrams()["names"]
    chinese = language == "zh-hans"
    lanes = {actor: LEFT + number * LANE for number, actor in enumerate(found["actors"])}
    drawing = Drawing(lanes, max(lanes.values()) + LEFT)
    for id, kind, actor, zh, en in found["lines"]:
        drawing.draw(id, kind, actor, zh if chinese else en)
    lifelines = [Lifeline(actor, lines(names[actor][not chinese]), x) for actor, x in lanes.items()]
    return Sequence(drawing.width, drawing.y + 14, lifelines, drawing.arrows, sorted(drawing.frames, key=lambda frame: -frame.width), drawing.notes)


class Drawing:
    """Goes through the lines from top to bottom; `open` are the frames that have not been closed: [id, y, text, lowest x, highest x]."""

    def __init__(self, lanes, width):
        self.lanes, self.width, self.y = lanes, width, TOP
        self.arrows, self.frames, self.notes, self.open = [], [], [], []

    def draw(self, id, kind, actor, text):
        if kind == "alt":
            self.open.append([id, self.y, text, self.width, 0])
        elif kind == "end":
            self.close()
        elif kind == "note":
            self.note(id, self.lanes[actor], text)
        else:
            self.arrow(id, kind, self.lanes[kind], self.lanes[actor], text)
        self.y += SMALL.get(kind, ROW)

    def arrow(self, id, actor, start, end, text):
        y = self.y + ROW - 10
        long = length(f"{id} {text}")
        if start == end:
            path, text_x = f"M{start} {y - 12}h{LOOP}v12h{4 - LOOP}", start + LOOP + 6
        else:
            path, text_x = f"M{start} {y}H{end + (-4 if end > start else 4)}", (start + end - long) / 2
        text_x = min(max(text_x, 4), self.width - long - 4)
        self.arrows.append(Arrow(id, actor, path, y, round(text_x), text))
        self.reach(min(start, end, text_x + PAD - GAP), max(start, end, text_x + long - PAD + GAP))

    def note(self, id, x, text):
        wide = round(length(f"{id} {text}")) + 16
        self.notes.append(Frame(id, min(x - wide // 2, self.width - wide - 4), self.y + 4, wide, ROW - 12, text))

    def reach(self, low, high):
        """Every open frame goes around what is drawn."""
        for frame in self.open:
            frame[3], frame[4] = min(frame[3], low), max(frame[4], high)

    def close(self):
        id, y, text, low, high = self.open.pop()
        inset = GAP * len(self.open)
        x = round(low - PAD + inset)
        wide = round(max(high + PAD - inset - x, length(f"{id} {text}") + 24))
        self.frames.append(Frame(id, x, y + 4, wide, self.y - y, text))


def lines(name):
    """A name in one line, or in two if it is long and has words."""
    first, _, second = name.partition(" ")
    return [(first, -7), (second, 7)] if second and length(name) > LANE - 20 else [(name, 0)]


def length(text):
    """How wide a text is, about."""
    return sum(WIDE if unicodedata.east_asian_width(letter) in "WF" else LETTER for letter in text)
