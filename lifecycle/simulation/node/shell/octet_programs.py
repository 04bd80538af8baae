"""Programs for which bytes matter: archives, checksums, base64."""
import base64
import gzip
import hashlib
import io
import tarfile
import zlib
from posixpath import dirname, join

from .file_programs import options
from .files import DIRECTORY, FileProblem
from .limits import FILE
from .octets import bytes_of, text_of
from .process import Until

LONGEST = 4096                     # characters of a path
LARGEST = 4 << 20                  # bytes of an archive
BROKEN = (tarfile.TarError, EOFError, zlib.error)


def whole_input(shell):
    """All that comes through standard input, once it has ended."""
    source = shell.source
    yield Until(lambda: not source.open)
    text, source.text = source.text, ""
    return text


def tar(shell, args):
    """tar cf, xf and tf, of files and of standard input and output."""
    args = [args[0] if args[0].startswith("-") else "-" + args[0], *args[1:]]
    flags, paths = options([word for word in args if not word.startswith("--")], "fC")
    archive, folder = flags.get("f", "-"), shell.files.absolute(flags.get("C", "."), shell.cwd)
    if "C" in flags and shell.files.get(folder) is not DIRECTORY:
        raise FileProblem(f"can't change directory to '{flags['C']}': No such file or directory")
    if "c" in flags:
        return _create(shell, archive, folder, paths, "gz" if "z" in flags else "")
    data = bytes_of((yield from whole_input(shell)) if archive == "-" else shell.files.read(archive, shell.cwd))
    try:
        return _read(shell, unpacked(data), folder, flags)
    except (*BROKEN, OSError) as problem:
        raise FileProblem("invalid tar magic" if isinstance(problem, tarfile.ReadError) else "short read") from None


def unpacked(data):
    """The archive inside of gzip, no more of it than a file may have."""
    return gzip.GzipFile(fileobj=io.BytesIO(data)).read(LARGEST) if data[:2] == b"\x1f\x8b" else data


def _read(shell, data, folder, flags):
    """List or unpack an archive."""
    with tarfile.open(fileobj=io.BytesIO(data), mode="r:") as found:
        for member in found:
            if "t" in flags or "v" in flags:
                shell.out.write(shell.process, member.name + ("/\n" if member.isdir() else "\n"))
            if "x" in flags:
                _extract(shell, found, member, folder)


def _extract(shell, archive, member, folder):
    path = shell.files.absolute(member.name.lstrip("/"), folder)
    if len(path) > LONGEST:
        raise FileProblem("File name too long")
    if member.isdir():
        _make_way(shell, path)
    elif member.isfile():
        _make_way(shell, dirname(path))
        data = archive.extractfile(member).read(FILE)
        shell.files.write(path, text_of(data), extra=member.size - len(data), most=FILE)


def _make_way(shell, path):
    """Make a directory, and those above it."""
    if shell.files.get(path) is None:
        _make_way(shell, dirname(path))
        shell.files.make_directory(path)


def _create(shell, archive, folder, paths, packing):
    buffer, missing = io.BytesIO(), 0
    if any(path.startswith("/") for path in paths):
        shell.err.write(shell.process, "tar: removing leading '/' from member names\n")
    with tarfile.open(fileobj=buffer, mode=f"w:{packing}", format=tarfile.GNU_FORMAT) as made:
        for path in paths:
            if shell.files.get(path, folder) is None:
                shell.err.write(shell.process, f"tar: {path}: No such file or directory\n")
                missing = 1
            else:
                _add(shell, made, path.strip("/") or ".", shell.files.absolute(path, folder))
    text = text_of(buffer.getvalue())
    shell.out.write(shell.process, text) if archive == "-" else shell.files.write(archive, text, shell.cwd, most=FILE)
    return missing


def _add(shell, archive, name, path):
    """Put a file, or a directory with all that is in it, into an archive."""
    found, about = shell.files.get(path), tarfile.TarInfo(name)
    about.mtime, about.uname, about.gname = int(shell.machine.epoch + shell.process.clock) // 1000, "root", "root"
    if found is DIRECTORY:
        about.type, about.mode = tarfile.DIRTYPE, 0o755
        archive.addfile(about)
        for inner in shell.files.names(path):
            _add(shell, archive, f"{name}/{inner}", join(path, inner))
    else:
        data = bytes_of(found)
        about.size, about.mode = len(data), 0o644
        archive.addfile(about, io.BytesIO(data))


def base_64(shell, args):
    flags, paths = options(args, "w")
    text = shell.files.read(paths[0], shell.cwd) if paths and paths != ["-"] else (yield from whole_input(shell))
    if {"d", "D"} & set(flags) or "--decode" in args:
        shell.out.write(shell.process, text_of(base64.b64decode("".join(text.split()))))
        return
    coded, width = base64.b64encode(bytes_of(text)).decode(), int(flags.get("w", "76")) or FILE * 2
    shell.out.write(shell.process, "".join(coded[place:place + width] + ("" if flags.get("w") == "0" else "\n") for place in range(0, len(coded), width)))


def checksum(name):
    def run(shell, args):
        for path in options(args)[1] or ["-"]:
            text = (yield from whole_input(shell)) if path == "-" else shell.files.read(path, shell.cwd)
            shell.out.write(shell.process, f"{hashlib.new(name, bytes_of(text), usedforsecurity=False).hexdigest()}  {path}\n")
    return run


OCTET_PROGRAMS = {"tar": tar, "base64": base_64, "md5sum": checksum("md5"), "sha1sum": checksum("sha1"), "sha256sum": checksum("sha256")}
