"""Lessons: data, one folder each below `course`, and what reads and judges them."""
