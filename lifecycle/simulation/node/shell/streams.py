"""Where commands read from and write to: the container's log, files, pipes, captured text."""

from .limits import LINE, TEXT


class Nowhere:
    """/dev/null."""

    def write(self, process, text):
        pass

    def close(self):
        pass


class Capture:
    """Text that is kept: the result of a command substitution or of an exec."""

    def __init__(self):
        self.text = ""

    def write(self, process, text):
        self.text = (self.text + text)[:TEXT]

    def close(self):
        pass


class Log:
    """stdout or stderr of a container's first process: whole lines with their time (ms)."""

    def __init__(self, box, stream):
        self.box, self.stream, self.rest = box, stream, ""
        self.listeners = []          # with a method put(ms, text): they hear what is written, not whole lines only

    def write(self, process, text):
        self.box.machine.writes += process.visitor          # then it is no mere visitor: this is to be seen
        self.put(process.clock, text)

    def put(self, at, text):
        """Text that comes at some ms."""
        *lines, self.rest = (self.rest + text).split("\n")
        for line in lines:
            self.box.print(at, self.stream, line[:LINE])
        self.rest = self.rest[:LINE]
        for listener in self.listeners:
            listener.put(at, text)

    def close(self):
        pass


class ToFile:
    """A redirection into a file."""

    def __init__(self, files, path):
        self.files, self.path = files, path

    def write(self, process, text):
        self.files.write(self.path, text, append=True)

    def close(self):
        pass


class Pipe:
    """Lines from one process to another; also a text that is there from the beginning."""

    terminal = None

    def __init__(self, text="", open=False):
        self.text, self.open = text, open

    def write(self, process, text):
        self.text = (self.text + text)[:TEXT]
        process.machine.activity += 1

    def close(self):
        self.open = False

    def line(self):
        """The next line with its newline, "" at the end, None if one has to wait."""
        head, newline, tail = self.text.partition("\n")
        if newline or not self.open:
            self.text = tail
            return head + newline
        return None
