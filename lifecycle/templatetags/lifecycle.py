"""Small pieces of markup that every page uses."""
from django import template
from django.templatetags.static import static
from django.utils.html import format_html

register = template.Library()


@register.simple_tag
def icon(name):
    """An icon of static/icons.svg; decoration only, the words beside it say what it is."""
    return format_html('<svg class="icon" aria-hidden="true" focusable="false"><use href="{}#{}"></use></svg>', static("icons.svg"), name)


@register.filter
def share(value):
    """A share from 0 to 1 as HTML wants it, whatever the language: "0.25"."""
    return f"{value:.3f}"
