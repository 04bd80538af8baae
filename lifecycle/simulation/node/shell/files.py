"""Files in containers: every container has its own root, volumes are shared by all that mount them."""
from fnmatch import fnmatchcase
from posixpath import dirname, join, normpath

from .limits import TEXT
from .octets import size as bytes_in

DIRECTORY = object()
STANDARD = ("/", "/bin", "/dev", "/etc", "/home", "/mnt", "/opt", "/proc", "/root", "/run", "/srv", "/tmp", "/usr", "/usr/bin", "/usr/local", "/usr/share",
            "/usr/share/nginx", "/usr/share/nginx/html", "/usr/local/apache2", "/usr/local/apache2/htdocs", "/var", "/var/log", "/var/run")


class FileProblem(Exception):
    """A file operation failed; the message is the system's."""


class Files:
    """The files that one container sees. `root` and each of `mounts` ({mount path: (store, read only)}) are dicts {path below it: text or DIRECTORY}.

    Big files are not kept: `sizes` maps (id of a store, path) to bytes beyond the text.
    """

    def __init__(self, root, mounts, changed, sizes):
        self.root, self.mounts, self.changed, self.sizes = root, dict(sorted(mounts.items(), key=lambda item: -len(item[0]))), changed, sizes
        for path in STANDARD:
            root.setdefault(path, DIRECTORY)

    @staticmethod
    def absolute(path, cwd="/"):
        """The path from the root, without . and .. in it."""
        return normpath(join(cwd, path))

    def place(self, path, cwd="/"):
        """(store, path in it, read only)"""
        path = self.absolute(path, cwd)
        for mount, (store, read_only) in self.mounts.items():
            if path == mount or path.startswith(mount.rstrip("/") + "/"):
                return store, path[len(mount.rstrip("/")):] or "/", read_only
        return self.root, path, False

    def get(self, path, cwd="/"):
        """The text of a file, DIRECTORY, or None."""
        store, inner, _ = self.place(path, cwd)
        found = store.get(inner)
        if found is None and (inner == "/" or any(name.startswith(inner + "/") for name in store) or self._leads_to_mount(path, cwd)):
            return DIRECTORY
        return found

    def _leads_to_mount(self, path, cwd):
        path = normpath(join(cwd, path)).rstrip("/") + "/"
        return any((mount + "/").startswith(path) for mount in self.mounts)

    def read(self, path, cwd="/"):
        """The text of a file. Raises FileProblem."""
        found = self.get(path, cwd)
        if found is None:
            raise FileProblem("No such file or directory")
        if found is DIRECTORY:
            raise FileProblem("Is a directory")
        return found

    def write(self, path, text, cwd="/", append=False, extra=0, most=TEXT):
        """Write a file, of which `most` characters are kept; `extra` are bytes that are counted but not kept. Raises FileProblem."""
        store, inner, read_only = self.place(path, cwd)
        if read_only:
            raise FileProblem("Read-only file system")
        if self.get(path, cwd) is DIRECTORY:
            raise FileProblem("Is a directory")
        if self.get(dirname(normpath(join(cwd, path)))) is not DIRECTORY:
            raise FileProblem("nonexistent directory")
        before = store.get(inner, "") if append else ""
        whole = before + text
        store[inner] = whole[:max(most, len(before))]
        self.sizes[id(store), inner] = extra + len(whole) - len(store[inner]) + (self.sizes.get((id(store), inner), 0) if append else 0)
        self.changed()

    def make_directory(self, path, cwd="/"):
        store, inner, read_only = self.place(path, cwd)
        if read_only:
            raise FileProblem("Read-only file system")
        store[inner] = DIRECTORY
        self.changed()

    def remove(self, path, cwd="/"):
        """Remove a file, or a directory with everything in it."""
        store, inner, read_only = self.place(path, cwd)
        if read_only:
            raise FileProblem("Read-only file system")
        for name in [name for name in store if name == inner or name.startswith(inner.rstrip("/") + "/")]:
            del store[name]
            self.sizes.pop((id(store), name), None)
        self.changed()

    def names(self, path, cwd="/"):
        """The sorted names in a directory."""
        path = normpath(join(cwd, path)).rstrip("/") + "/"
        store, inner, _ = self.place(path)
        inner = inner.rstrip("/") + "/"
        found = {name[len(inner):].partition("/")[0] for name in store if name.startswith(inner) and name != inner}
        found.update(mount[len(path):].partition("/")[0] for mount in self.mounts if mount.startswith(path))
        return sorted(name for name in found if name)

    def matching(self, pattern, cwd):
        """The sorted paths that match a pattern."""
        whole = join(cwd, pattern)
        found = []
        candidates = {*self.root, *(mount + name for mount, (store, _) in self.mounts.items() for name in store)}
        for path in candidates:
            if path.count("/") == whole.count("/") and fnmatchcase(path, whole):
                found.append(path if pattern.startswith("/") else path[len(cwd.rstrip("/")) + 1:])
        return sorted(found)

    def size(self, path, cwd="/"):
        """Bytes of a file."""
        store, inner, _ = self.place(path, cwd)
        return bytes_in(self.read(path, cwd)) + self.sizes.get((id(store), inner), 0)
