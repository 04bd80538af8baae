"""The course and its lessons."""
urlpatterns = []
