"""The scheduler's default plugins, one file each (pkg/scheduler/framework/plugins): pure functions that `framework.py` puts in a table."""
