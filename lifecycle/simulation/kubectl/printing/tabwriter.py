"""Columns of tab-separated text, aligned as Go's text/tabwriter does.

A column is a run of neighbouring lines that all have a cell there which a tab ends; what follows the last tab of a line belongs to no column.
"""


def align(text, minimum=0, padding=2, remembered=None):
    """`text` with its tabs replaced by spaces.

    `minimum` is the least width of a column with its `padding`. `remembered` is a list of widths from earlier calls: columns never become narrower
    than those, and the list is updated (how `kubectl get -w` keeps its columns).
    """
    lines = [line.split("\t") for line in text.split("\n")]
    out = []
    _format(lines, 0, len(lines), [], out, (minimum, padding, remembered))
    return "\n".join(out)


def _format(lines, start, end, widths, out, settings):
    column, row, first = len(widths), start, start
    while row < end:
        if column >= len(lines[row]) - 1:
            row += 1
            continue
        _write(lines, first, row, widths, out)
        first = row
        while row < end and column < len(lines[row]) - 1:
            row += 1
        _format(lines, first, row, [*widths, _width(lines, first, row, column, settings)], out, settings)
        first = row
    _write(lines, first, end, widths, out)


def _width(lines, start, end, column, settings):
    minimum, padding, remembered = settings
    width = max(minimum, max([len(line[column]) for line in lines[start:end]]) + padding)
    if remembered is None:
        return width
    if column == len(remembered):
        remembered.append(width)
    remembered[column] = max(width, remembered[column])
    return remembered[column]


def _write(lines, start, end, widths, out):
    for line in lines[start:end]:
        cells = [cell.ljust(widths[position]) if position < len(widths) else cell for position, cell in enumerate(line)]
        out.append("".join(cells))
