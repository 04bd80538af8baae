"""The small shell that runs the commands of manifests in virtual time."""
import io
import re
import tarfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lifecycle.simulation.node.shell import Input, Machine, command, octets, script
from lifecycle.simulation.node.shell.commands import PROGRAMS

EPOCH = 1_767_225_600_000


def start(text, env=None, mounts=None):
    """(machine, first process, box) of a container that runs `sh -c TEXT` from 0 ms on."""
    machine = Machine(EPOCH, lambda *query: (None, "bad address"))
    box = machine.add("c", {"HOME": "/root", **(env or {})}, "web", mounts or {})
    return machine, machine.start(box, ["sh", "-c", text], script(text), 0), box


def result(text, **given):
    """(exit code, lines printed) of a script that ends."""
    machine, process, box = start(text, **given)
    _, code = machine.outcome(process)
    return code, [line for _, _, line in box.lines]


@pytest.mark.parametrize(("text", "lines"), [
    ("echo hello world", ["hello world"]),
    ("A=1; B='$A'; echo $A $B \"$A\"", ["1 $A 1"]),
    ("echo ${X:-none} ${PWD} $((7 / 2 * 3)) `echo sub` $(echo a; echo b)", ["none / 9 sub a b"]),
    ("x=web-123.log; echo ${x%.log} ${x#web-} ${#x}", ["web-123 123.log 11"]),
    ("for i in 1 2 3; do [ $i = 2 ] && continue; echo $i; done", ["1", "3"]),
    ("i=0; until [ $i -ge 3 ]; do i=$((i+1)); done; echo $i", ["3"]),
    ("case web-1 in db*) echo db;; web*|www) echo web;; *) echo other;; esac", ["web"]),
    ("f() { echo \"got $1 of $#\"; return 3; }; f a b; echo $?", ["got a of 2", "3"]),
    ("echo one > /tmp/f; echo two >> /tmp/f; cat /tmp/f; wc -l < /tmp/f", ["one", "two", "2"]),
    ("echo b a | tr ' ' '\\n' | sort | head -n 1", ["a"]),
    ("printf '%s=%03d\\n' a 7 b 8", ["a=007", "b=008"]),
    ("cat <<EOF\nhost $(hostname)\nEOF", ["host web"]),
    ("false || echo no; true && echo yes; ! false && echo negated", ["no", "yes", "negated"]),
    ("(cd /tmp; pwd); pwd", ["/tmp", "/"]),
    ("touch /tmp/a /tmp/b; ls /tmp; echo /tmp/*; rm /tmp/a; test -e /tmp/a; echo $?", ["a", "b", "/tmp/a /tmp/b", "1"]),
    ("mkdir /d /d/e; echo a > /d/f; touch /d/.h; ls /d /d/e /nope", ["/d:", "e", "f", "", "/d/e:", "ls: /nope: No such file or directory"]),
    ("cd /tmp; touch .h; echo a > f; ls -a; ls -l", [".", "..", ".h", "f", "total 4", "-rw-r--r--    1 root     root             2 Jan  1 00:00 f"]),
    ("echo hello | base64; echo aGVsbG8K | base64 -d; echo -n abc | md5sum", ["aGVsbG8K", "hello", "900150983cd24fb0d6963f7d28e17f72  -"]),
    ("mkdir -p /a/b; echo x > /a/b/c; tar cf /t.tar -C /a b; tar tf /t.tar; mkdir /n; tar xf /t.tar -C /n; cat /n/b/c", ["b/", "b/c", "x"]),
    ("printf 'echo 1\\nif true\\nthen echo 2\\nfi\\nexit 3\\n' | sh; echo $?", ["1", "2", "3"]),
    ("nope; echo $?", ["sh: nope: not found", "127"]),
    ("sh -c 'kill -TERM $$'; echo $?", ["143"]),
    ("sh -c 'exit 300'; echo $?", ["44"]),
    ("set -e; echo before; false; echo after", ["before"]),
    ("trap 'echo bye' EXIT; echo hi", ["hi", "bye"]),
    ("sleep 1 & wait $!; echo $?", ["0"]),
    ("echo a b c | while read x rest; do echo $rest; done", ["b c"]),
    ("date -u +%Y-%m-%dT%H:%M:%S; sleep 60; date +%H:%M", ["2026-01-01T00:00:00", "00:01"]),
])
def test_what_people_write_into_manifests_prints_what_it_should(text, lines):
    assert result(text)[1] == lines


@pytest.mark.parametrize(("text", "code"), [
    ("exit 7", 7), ("true", 0), ("false", 1), ("sleep 1; exit 1", 1), ("if true; then", 2), ("kill -9 $$; exit 5", 5), ("nope", 127)])
def test_scripts_end_with_their_exit_code(text, code):
    assert result(text)[0] == code


def test_time_passes_while_commands_sleep():
    machine, process, box = start("echo a; sleep 2; echo b; sleep 0.5; exit 3")
    assert machine.outcome(process) == (2502, 3)
    assert [at // 1000 for at, _, _ in box.lines] == [0, 2]


def test_a_loop_that_nothing_can_end_is_known_to_go_on_for_ever():
    machine, process, _ = start("while true; do date; sleep 5; done")
    assert machine.outcome(process) is None


def test_a_loop_that_waits_for_a_file_ends_when_somebody_makes_it():
    machine, process, box = start("while [ ! -e /s/go ]; do sleep 1; done; echo went", mounts={"/s": ("shared", None, False)})
    assert machine.outcome(process) is None
    machine.run(10_000)
    other = machine.add("d", {}, "web", {"/there": ("shared", None, False)})
    machine.start(other, ["sh"], script("touch /there/go"), 10_500)
    at, code = machine.outcome(process)
    assert code == 0
    assert 10_500 <= at <= 11_600


def test_a_trap_runs_when_the_command_in_the_foreground_has_ended():
    machine, process, box = start("trap 'echo got it; exit 4' TERM; sleep 10; echo never")
    machine.run(3_000)
    process.signal("TERM", 3_000)
    assert machine.outcome(process) == (10_001, 4)
    assert [line for _, _, line in box.lines] == ["got it"]


def test_a_signal_ends_a_wait_at_once():
    machine, process, _ = start("trap 'exit 4' TERM; sleep 1000 & wait")
    machine.run(3_000)
    process.signal("TERM", 3_000)
    assert machine.outcome(process) == (3_000, 4)


def test_the_first_process_of_a_container_is_deaf_to_signals_it_does_not_handle():
    machine, process, _ = start("sleep 10")
    process.signal("TERM", 1_000)
    assert machine.outcome(process) == (10_001, 0)


def test_a_parked_loop_answers_a_signal_within_the_round_it_is_in():
    machine, process, _ = start("trap 'exit 3' TERM; while true; do sleep 2; done")
    machine.run(3_600_000)
    process.signal("TERM", 3_600_500)
    at, code = machine.outcome(process)
    assert code == 3
    assert 3_600_500 < at < 3_603_000


def test_who_looked_at_a_loop_before_does_not_change_when_it_ends():
    def end(looks):
        machine, process, box = start("trap 'sleep 3; exit 0' TERM; while true; do sleep 1; done")
        for at in looks:
            machine.run(at)
            visitor, _ = machine.execute(box, ["true"], command(["true"]), at, visitor=True)
            assert machine.outcome(visitor)[1] == 0
            assert box.without_visitors(visitor.pid)
        machine.run(5_001)
        process.signal("TERM", 5_002)
        return machine.outcome(process)
    assert end([]) == end([2_500]) == end([2_500, 4_900]) == end([4_990])


@pytest.mark.parametrize("text", [
    ":(){ :|:& };:", "f() { f; }; f", "x=a; while true; do x=$x$x; done", "while true; do i=$((i*7)); done", "seq 1 1000000000", "printf '%9999999d' 1",
    "echo $((1/0))", "grep '(a+)+b' /etc/hosts", "head -n x", "cut", "shift 9", "kill x", "sleep x", "[ 1 -eq", "$(", "tail -f /nope",
    "while true; do echo x >> /f; done",
])
def test_no_script_can_stop_the_simulation(text):
    machine, process, _ = start(text)
    machine.outcome(process)
    machine.run(600_000)


@given(st.binary(max_size=400))
def test_any_bytes_become_text_and_the_same_bytes_again(data):
    assert octets.bytes_of(octets.text_of(data)) == data
    assert octets.size(octets.text_of(data)) == len(data)


@given(st.binary(max_size=400), st.integers(0, 400))
def test_bytes_that_come_in_two_pieces_are_the_same_bytes(data, place):
    assert octets.bytes_of(octets.text_of(data[:place]) + octets.text_of(data[place:])) == data


@given(st.text(max_size=200).filter(lambda text: not re.search("[\uef80-\uefff]", text)))
def test_ordinary_text_is_itself(text):
    assert octets.text_of(text.encode()) == text


WORDS = ("-", "-x", "-c", "-f", "xf", "cf", "/tmp", "/tmp/f", "1", "-1", "a=b", "*", "", "-d", "-C")


@given(st.sampled_from(sorted(PROGRAMS)), st.lists(st.sampled_from(WORDS), max_size=4), st.binary(max_size=200))
def test_no_program_breaks_on_any_words_and_input(name, words, data):
    machine, process, _ = start("true")
    machine.outcome(process)
    box = machine.add("other", {}, "web", {})
    box.files.write("/tmp/f", octets.text_of(data))
    source = Input(True)
    source.add(machine, octets.text_of(data))
    source.end(machine)
    machine.start(box, [name], command([name, *words]), 100, source=source)
    machine.run(10_000)


@given(st.binary(max_size=100), st.integers(0, 3000))
def test_a_damaged_archive_is_refused_and_breaks_nothing(junk, length):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w") as made:
        about = tarfile.TarInfo("f")
        about.size = 700
        made.addfile(about, io.BytesIO(b"x" * 700))
    archive = bytearray(buffer.getvalue()[:length])
    archive[100:100 + len(junk)] = junk
    machine, process, box = start("tar xf /tmp/a.tar -C /tmp; tar tzf /tmp/a.tar; echo $?")
    box.files.write("/tmp/a.tar", octets.text_of(bytes(archive)))
    assert machine.outcome(process)[1] == 0
