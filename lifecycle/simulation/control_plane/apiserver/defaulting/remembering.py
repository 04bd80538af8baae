"""Remembering what a pure function answered for an immutable object, by the object's identity."""

import functools


def remembers(size):
    """A decorator for a pure function of one immutable object: the last `size` answers are kept.

    The object itself is kept beside its answer, so that its id cannot pass to another object meanwhile.
    """

    def decorate(function):
        answers = {}

        @functools.wraps(function)
        def remembered(thing):
            known = answers.get(id(thing))
            if known is not None:
                return known[1]
            answer = function(thing)
            if len(answers) >= size:
                del answers[next(iter(answers))]
            answers[id(thing)] = (thing, answer)
            return answer

        return remembered

    return decorate
