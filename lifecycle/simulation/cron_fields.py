"""What the five fields of a cron schedule may hold, and the names for whole schedules (github.com/robfig/cron/v3 parser.go)."""

# minute, hour, day of the month, month, day of the week: (least, most, names)
FIELDS = (
    (0, 59, {}),
    (0, 23, {}),
    (1, 31, {}),
    (1, 12, dict(zip(("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"), range(1, 13)))),
    (0, 6, dict(zip(("sun", "mon", "tue", "wed", "thu", "fri", "sat"), range(7)))),
)
DESCRIPTORS = {
    "@yearly": "0 0 1 1 *", "@annually": "0 0 1 1 *", "@monthly": "0 0 1 * *", "@weekly": "0 0 * * 0", "@daily": "0 0 * * *", "@midnight": "0 0 * * *",
    "@hourly": "0 * * * *"}
