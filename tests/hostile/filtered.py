"""An interpreter for filters of system calls: the instructions of classic BPF that they use."""

import errno
import struct

from gyoji.executors.filters import IS_X86, NUMBERS

ARCH = 0xC000003E if IS_X86 else 0xC00000B7
_LOAD, _EQUAL, _AT_LEAST, _ANY_OF, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_TESTS = {
    _EQUAL: lambda found, value: found == value,
    _AT_LEAST: lambda found, value: found >= value,
    _ANY_OF: lambda found, value: bool(found & value),
}


def answer(program, number, *arguments, arch=ARCH):
    """Return the answer to a call: "allowed", "killed", the name of an error, or "0" for success without
    effect.
    """
    registers = [each & (1 << 64) - 1 for each in (*arguments, *[0] * (6 - len(arguments)))]
    facts = struct.pack("=IIQ6Q", number, arch, 0, *registers)
    steps = list(struct.iter_unpack("HBBI", program))
    found = at = 0
    while True:
        code, if_true, if_false, value = steps[at]
        at += 1
        if code == _LOAD:
            (found,) = struct.unpack_from("=I", facts, value)
        elif code == _RETURN:
            return _named(value)
        else:
            at += if_true if _TESTS[code](found, value) else if_false


def answer_to(program, name, *arguments):
    """Return the answer to a call by its name, or None if this machine has no such call."""
    number = NUMBERS[name][0 if IS_X86 else 1]
    return None if number is None else answer(program, number, *arguments)


def _named(value):
    action, data = value & 0xFFFF0000, value & 0xFFFF
    if action == 0x00050000:
        return errno.errorcode[data] if data else "0"
    return {0x7FFF0000: "allowed", 0x80000000: "killed"}[action]
