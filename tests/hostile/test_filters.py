"""The filter of system calls, call by call, as the kernel would run it."""

import os
import socket

import filtered
import pytest

from gyoji.executors.filters import ABSENT, IS_X86, NEWEST, REFUSED, REFUSED_TO_STRANGERS, seccomp_program

FILTERS = {
    "guarded": seccomp_program(strict=False, alone=True),
    "strict": seccomp_program(strict=True, alone=True),
    "strict, ponder = false": seccomp_program(strict=True, alone=True, still=True),
    "guarded, without a namespace of processes": seccomp_program(strict=False, alone=False),
}
HERE = -100  # AT_FDCWD
NEW, NAMELESS = os.O_CREAT | os.O_WRONLY, os.O_TMPFILE | os.O_RDWR
PATH = 0x7FFE_0000_1000  # where a path would be in memory

every_filter = pytest.mark.parametrize("program", FILTERS.values(), ids=FILTERS)


@every_filter
@pytest.mark.parametrize("bits", [0o4000, 0o2000, 0o6000])
@pytest.mark.parametrize(
    ("name", "before", "after"),
    [
        ("chmod", (PATH,), ()),
        ("fchmod", (3,), ()),
        ("fchmodat", (HERE, PATH), ()),
        ("fchmodat2", (HERE, PATH), (0,)),
        ("creat", (PATH,), ()),
        ("open", (PATH, NEW), ()),
        ("open", (PATH, NAMELESS), ()),
        ("openat", (HERE, PATH, NEW), ()),
        ("openat", (HERE, PATH, NAMELESS), ()),
        ("mknod", (PATH,), (0,)),
        ("mknodat", (HERE, PATH), (0,)),
        ("mkdir", (PATH,), ()),
        ("mkdirat", (HERE, PATH), ()),
    ],
)
def test_no_call_sets_a_set_uid_bit_and_each_sets_all_other_modes(program, name, before, after, bits):
    for mode in (0o644, 0o755, 0o1777, 0o100600):
        assert filtered.answer_to(program, name, *before, mode, *after) in ("allowed", None)
        assert filtered.answer_to(program, name, *before, mode | bits, *after) in ("EPERM", None)
        upper = 0xFFFF_FFFF_0000_0000  # which the kernel does not look at
        assert filtered.answer_to(program, name, *before, upper | mode | bits, *after) in ("EPERM", None)


@every_filter
@pytest.mark.parametrize(("name", "before"), [("open", (PATH,)), ("openat", (HERE, PATH))])
def test_what_is_in_the_place_of_a_mode_means_nothing_where_no_file_is_made(program, name, before):
    for flags in (os.O_RDONLY, os.O_RDWR | os.O_TRUNC, os.O_PATH, os.O_DIRECTORY):
        assert filtered.answer_to(program, name, *before, flags, 0o6777) in ("allowed", None)


@every_filter
def test_calls_whose_orders_are_in_memory_and_calls_not_judged_yet_do_not_exist(program):
    assert {filtered.answer_to(program, name) for name in ABSENT} == {"ENOSYS"}
    assert {filtered.answer(program, NEWEST + more) for more in (1, 2, 50, 1000)} == {"ENOSYS"}
    assert filtered.answer(program, NEWEST) == "allowed"


@every_filter
def test_calls_by_another_table_end_the_process(program):
    for arch in (0x40000003, 0x40000028, 0xC00000F3):  # i386, arm, riscv64
        assert filtered.answer(program, 1, arch=arch) == "killed"
    if IS_X86:
        assert filtered.answer(program, 0x40000000 | 90, PATH, 0o644) == "killed"


@every_filter
def test_no_command_of_fcntl_makes_the_readers_of_a_file_wait(program):
    for command in (0, 1, 2, 3, 4, 5, 6, 7, 8, 15, 36, 37, 38, 1025, 1027, 1028, 1030, 1031, 1033, 1036):
        assert filtered.answer_to(program, "fcntl", 3, command, 1) == "allowed"
    for command in (1024, 1026):  # F_SETLEASE, F_NOTIFY
        assert filtered.answer_to(program, "fcntl", 3, command, 1) == "EPERM"
    for command in (1039, 1040, 5000):  # F_GETDELEG, F_SETDELEG of Linux 6.19
        assert filtered.answer_to(program, "fcntl", 3, command, 1) == "EINVAL"


@every_filter
def test_only_families_and_protocols_that_a_program_needs_are_to_be_had(program):
    stream, nonblocking = socket.SOCK_STREAM, socket.SOCK_STREAM | socket.SOCK_NONBLOCK
    for family in range(64):
        for kind in (stream, nonblocking):
            told = filtered.answer_to(program, "socket", family, kind, 0)
            known = family in (socket.AF_UNIX, socket.AF_INET, socket.AF_INET6, socket.AF_NETLINK)
            assert told == ("allowed" if known else "EAFNOSUPPORT")
        told = filtered.answer_to(program, "socketpair", family, stream, 0)
        assert told == ("allowed" if family == socket.AF_UNIX else "EAFNOSUPPORT")
    for family in (socket.AF_INET, socket.AF_INET6):
        told = {
            number: filtered.answer_to(program, "socket", family, stream, number) for number in range(300)
        }
        assert {number for number, text in told.items() if text == "allowed"} == {0, 6, 17}
        assert set(told.values()) == {"allowed", "EPROTONOSUPPORT"}
    for number in range(32):
        told = filtered.answer_to(program, "socket", socket.AF_NETLINK, socket.SOCK_RAW, number)
        assert told == ("EPROTONOSUPPORT" if number else "allowed")


@every_filter
def test_the_limit_of_core_files_stays_and_can_be_read(program):
    assert filtered.answer_to(program, "prlimit64", 0, 4, 0, PATH) == "allowed"
    assert filtered.answer_to(program, "prlimit64", 0, 4, PATH, 0) == "0"
    assert filtered.answer_to(program, "prlimit64", 0, 4, PATH, PATH) == "EPERM"
    assert filtered.answer_to(program, "prlimit64", 0, 4, 1 << 32, 0) == "0"  # an address with no lower half
    assert filtered.answer_to(program, "prlimit64", 0, 7, PATH, PATH) == "allowed"
    assert filtered.answer_to(program, "setrlimit", 4, PATH) == "0"
    assert filtered.answer_to(program, "setrlimit", 7, PATH) == "allowed"


@every_filter
def test_no_engine_keeps_the_other_thread_of_a_core_idle(program):
    assert filtered.answer_to(program, "prctl", 62, 1, 0, 0, 0) == "EPERM"
    assert filtered.answer_to(program, "prctl", 15, PATH) == "allowed"  # the name of a thread


@pytest.mark.parametrize("level", ["guarded", "strict"])
def test_what_no_engine_needs_is_refused_and_to_strangers_a_look_into_processes_too(level):
    assert {filtered.answer_to(FILTERS[level], name) for name in REFUSED} == {"EPERM"}
    expected = "EPERM" if level == "strict" else "allowed"
    assert {filtered.answer_to(FILTERS[level], name) for name in REFUSED_TO_STRANGERS} == {expected}
