"""Glossary, components, and the source documents."""
urlpatterns = []
