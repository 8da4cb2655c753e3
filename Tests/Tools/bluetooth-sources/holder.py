"""Holds the attribute channel of a robot with a random address for some seconds, as another program does.

  holder.py ADDRESS SECONDS

Prints `held` when the kernel has connected. Python's own sockets do not know the type of an address.
"""
import ctypes
import os
import sys
import time

AF_BLUETOOTH, SOCK_SEQPACKET, L2CAP = 31, 5, 0
SOL_BLUETOOTH, BT_SECURITY = 274, 4


def attribute_address(octets, kind):
    """`sockaddr_l2`: the family, no PSM, the address in wire order, channel 4, the type of the address."""
    return AF_BLUETOOTH.to_bytes(2, "little") + bytes(2) + octets + (4).to_bytes(2, "little") + bytes([kind, 0])


def checked(result):
    if result < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return result


libc = ctypes.CDLL(None, use_errno=True)
octets = bytes(reversed(bytes.fromhex(sys.argv[1].replace(":", ""))))
descriptor = checked(libc.socket(AF_BLUETOOTH, SOCK_SEQPACKET, L2CAP))
checked(libc.bind(descriptor, attribute_address(bytes(6), 1), 14))
checked(libc.setsockopt(descriptor, SOL_BLUETOOTH, BT_SECURITY, bytes([1, 0]), 2))
checked(libc.connect(descriptor, attribute_address(octets, 2), 14))
print("held", flush=True)
time.sleep(float(sys.argv[2]))
