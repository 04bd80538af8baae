"""Who calls: as what it appears among the messages, and as whom it acts (apiserver/pkg/endpoints/filters/{authentication,impersonation}.go)."""
from typing import NamedTuple

from ..simulation.control_plane.apiserver.authorization import Attributes, groups_of, is_allowed
from ..simulation.control_plane.apiserver.errors import Refused, bad_request
from ..simulation.control_plane.apiserver.subresources.token import holder

ADMIN = "kubernetes-admin"
LONGEST = 128                   # characters of a field manager, and of what else is kept


class Caller(NamedTuple):
    """`actor` is "kubectl" or "user" (any other program), `manager` its field manager unless it names one, `token` its bearer token.

    `user` and `groups` are those that it wants to act as, from the impersonation headers. kubectl says which `command` it carries out ("kubectl get"), and
    names the run with a `session`.
    """

    actor: str
    manager: str
    token: str = ""
    user: str = ""
    groups: tuple = ()
    command: str = ""
    session: str = ""

    @classmethod
    def of(cls, headers):
        """From the headers of a request, (lower-case name, value) as bytes."""
        found = {}
        for name, value in headers:
            found.setdefault(name.lower(), []).append(value.decode("latin-1"))

        def first(name):
            return "".join(letter for letter in found.get(name, [""])[0] if letter.isprintable())

        manager, (scheme, _, token) = first(b"user-agent").partition("/")[0][:LONGEST], first(b"authorization").partition(" ")
        return cls("kubectl" if manager.removesuffix(".exe") == "kubectl" else "user", manager, token.strip() if scheme.lower() == "bearer" else "",
                   first(b"impersonate-user"), tuple(found.get(b"impersonate-group", ())), first(b"kubectl-command")[:LONGEST],
                   first(b"kubectl-session")[:LONGEST])

    @property
    def is_admin(self):
        """Whether that is certain without asking the cluster: no impersonation, and no token that could be a ServiceAccount's."""
        return not self.user and not self.groups and self.token.count(".") != 2

    def identity(self, api):
        """(user, groups) as which the request is carried out. Raises Refused (400, 401, 403)."""
        user = self.token and holder(api, self.token) or ADMIN
        if self.groups and not self.user:
            raise bad_request(f"requested [{', '.join(self.groups)}] without impersonating a user")
        if not self.user:
            return user, ()
        wanted = [("users", self.user), *(("groups", group) for group in self.groups)]
        for plural, name in wanted if user != ADMIN else ():
            if not is_allowed(api.etcd, user, groups_of(user), Attributes("impersonate", "", plural, "", name)):
                raise _may_not_impersonate(user, plural, name)
        return self.user, self.groups


def _may_not_impersonate(user, plural, name):
    why = f'User "{user}" cannot impersonate resource "{plural}" in API group "" at the cluster scope'
    return Refused(403, f'{plural} "{name}" is forbidden: {why}', "Forbidden", {"name": name, "kind": plural})
