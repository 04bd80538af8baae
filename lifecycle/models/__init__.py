"""What is stored: clusters, their objects as people look at them, their history, and how far learners are in the lessons."""
from .cluster import Cluster
from .history import DiskEntry, Revisions, Steps
from .lessons import GroupLesson, LearnerGroup, LessonRun
from .objects import Node, Pod, Resource

__all__ = ["Cluster", "DiskEntry", "GroupLesson", "LearnerGroup", "LessonRun", "Node", "Pod", "Resource", "Revisions", "Steps"]
