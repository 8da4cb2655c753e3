"""Replaces the part of PyBluez that the clients use; the address of a device is the path of a terminal."""

import os

from terminal import Terminal

RFCOMM = 3


class BluetoothError(OSError):
    pass


class btcommon:
    BluetoothError = BluetoothError


class BluetoothSocket(Terminal):
    def __init__(self, protocol=RFCOMM):
        super().__init__()

    def connect(self, address):
        try:
            self.open(address[0])
        except OSError as error:
            raise BluetoothError(str(error)) from error


def discover_devices(lookup_names=False, **_):
    path = os.environ["SPHERO_PORT"]
    return [(path, "Sphero-SIM")] if lookup_names else [path]
