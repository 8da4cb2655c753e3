"""A terminal that clients use in place of a Bluetooth socket, and that notes what the robot refuses."""

import os
import select
import tty


class Terminal:
    """A serial device, with the methods of a socket."""

    last = None

    def __init__(self):
        self.descriptor = -1
        self.refusals = []
        self._seen = bytearray()

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
        """Waits for bytes; there are none any more once the terminal is closed."""
        while self.descriptor >= 0:
            if not select.select([self.descriptor], [], [], 0.1)[0]:
                continue
            try:
                data = os.read(self.descriptor, count)
            except OSError:
                data = b""
            self._watch(data)
            return data
        return b""

    def close(self):
        descriptor, self.descriptor = self.descriptor, -1
        if descriptor >= 0:
            os.close(descriptor)

    def _watch(self, data):
        """Reads along, and notes every response whose status is not 00."""
        self._seen += data
        while len(self._seen) > 4:
            length = self._seen[4]
            if self._seen[1] == 0xFE:
                length |= self._seen[3] << 8
            if len(self._seen) < 5 + length:
                return
            if self._seen[1] == 0xFF and self._seen[2] != 0:
                self.refusals.append(self._seen[2])
            del self._seen[: 5 + length]
