"""Accounts of learners: sign up, log in, log out, another password. What a guest made stays theirs (accounts.keep_clusters)."""
from django.contrib.auth import login, views
from django.contrib.auth.forms import UserCreationForm
from django.contrib.auth.mixins import LoginRequiredMixin
from django.contrib.messages.views import SuccessMessageMixin
from django.http import HttpResponseRedirect
from django.urls import path, reverse_lazy
from django.utils.translation import gettext_lazy as _
from django.views.generic import FormView

from ..log_in import LogInForm


class LogIn(views.LoginView):
    template_name = "accounts/login.html"
    authentication_form = LogInForm
    redirect_authenticated_user = True


class SignUp(views.RedirectURLMixin, FormView):
    """Makes an account and logs in with it."""

    template_name = "accounts/signup.html"
    form_class = UserCreationForm
    next_page = reverse_lazy("home")

    def dispatch(self, request, *arguments, **options):
        if request.user.is_authenticated:
            return HttpResponseRedirect(self.get_success_url())
        return super().dispatch(request, *arguments, **options)

    def form_valid(self, form):
        login(self.request, form.save())
        return super().form_valid(form)


class PasswordChange(SuccessMessageMixin, LoginRequiredMixin, views.PasswordChangeView):
    template_name = "accounts/password_change.html"
    success_url = reverse_lazy("home")
    success_message = _("Your password is changed.")


urlpatterns = [
    path("login/", LogIn.as_view(), name="login"),
    path("signup/", SignUp.as_view(), name="signup"),
    path("logout/", views.LogoutView.as_view(), name="logout"),
    path("password/", PasswordChange.as_view(), name="password_change"),
]
