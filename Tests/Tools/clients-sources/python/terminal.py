"""A terminal that replaces the clients' Bluetooth socket, and records the robot's error responses."""

import os
import select
import tty


class Terminal:
    """A serial device with the methods of a socket."""

    last = None

    def __init__(self):
        self.descriptor = -1
        self.refusals = []
        self._pending = bytearray()

    def open(self, path):
        self.descriptor = os.open(path, os.O_RDWR | os.O_NOCTTY)
        tty.setraw(self.descriptor)
        Terminal.last = self

    def fileno(self):
        return self.descriptor

    def send(self, data, flags=0):
        data = bytes(data)
        sent = 0
        while sent < len(data):
            sent += os.write(self.descriptor, data[sent:])
        return sent

    def recv(self, count):
        """Waits for bytes; returns none after the terminal is closed."""
        while self.descriptor >= 0:
            if not select.select([self.descriptor], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self.descriptor, count)
            except OSError:
                data = b""
            self._record_refusals(data)
            return data
        return b""

    def close(self):
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _record_refusals(self, data):
        """Records every response with a status other than 00."""
        self._pending += data
        while len(self._pending) > 4:
            length = self._pending[4]
            if self._pending[1] == 0xFE:
                length |= self._pending[3] << 8
            if len(self._pending) < 5 + length:
                return
            if self._pending[1] == 0xFF and self._pending[2] != 0:
                self.refusals.append(self._pending[2])
            del self._pending[: 5 + length]
