"""A robot with Bluetooth LE in Bumble's attribute server, with a simulated robot behind it.

  peripheral.py SOCKET PORT [PIECE]

SOCKET is the path of a local socket that carries packets of the Attribute Protocol; PORT is the TCP port of `sphero simulate`.
Notifications have at most PIECE bytes, 20 by default.
"""
import asyncio
import os
import socket
import sys

from bumble.controller import Controller
from bumble.core import UUID
from bumble.device import Device
from bumble.gatt import Characteristic, CharacteristicValue, Service
from bumble.hci import Address
from bumble.host import Host
from bumble.link import LocalLink

ATTRIBUTE_CHANNEL = 4
BALL = Address("C1:6E:04:5E:D9:11", Address.RANDOM_DEVICE_ADDRESS)
HOST = Address("F0:F1:F2:F3:F4:F5", Address.RANDOM_DEVICE_ADDRESS)
WRITABLE = Characteristic.Properties.WRITE | Characteristic.Properties.WRITE_WITHOUT_RESPONSE


def uuid(number):
    return UUID(f"22bb746f-{number}-7554-2d6f-726568705327")


def writable(number, action):
    return Characteristic(uuid(number), WRITABLE, Characteristic.WRITEABLE, CharacteristicValue(write=action))


class Robot:
    """The services of a robot on a device, and the simulated robot behind them."""

    def __init__(self, device, piece):
        self.device, self.piece = device, piece
        self.responses = Characteristic(uuid("2ba6"), Characteristic.Properties.NOTIFY, 0)
        self.writer = None
        self.restart()
        device.add_services([
            Service(uuid("2bb0"), [writable("2bbd", self.unlock), writable("2bb2", lambda *_: None), writable("2bbf", self.wake)]),
            Service(uuid("2ba0"), [writable("2ba1", self.command), self.responses]),
        ])

    def restart(self):
        self.is_unlocked, self.is_awake = False, False

    def unlock(self, connection, value):
        self.is_unlocked = bytes(value) == b"011i3"

    def wake(self, connection, value):
        self.is_awake = self.is_unlocked and bytes(value) == b"\x01"

    def command(self, connection, value):
        # Like a robot, whose main processor receives nothing before it is awake.
        if self.is_awake:
            self.writer.write(bytes(value))

    async def notify(self, port):
        """Passes the bytes of the simulated robot on until it ends."""
        reader, self.writer = await asyncio.open_connection("127.0.0.1", port)
        while data := await reader.read(4096):
            for start in range(0, len(data), self.piece):
                await self.device.notify_subscribers(self.responses, data[start:start + self.piece])


async def serve(path, port, piece):
    link = LocalLink()
    ball = Device(name="BB-D911", address=BALL, host=Host())
    ball.host.controller = Controller("ball", link=link)
    central = Device(name="host", address=HOST, host=Host())
    central.host.controller = Controller("host", link=link)
    robot = Robot(ball, piece)
    await ball.power_on()
    await ball.start_advertising(auto_restart=True)
    await central.power_on()
    loop = asyncio.get_running_loop()
    notifier = loop.create_task(robot.notify(port))
    if os.path.exists(path):
        os.unlink(path)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    listener.bind(path)
    listener.listen(1)
    listener.setblocking(False)
    print("ready", flush=True)
    while not notifier.done():
        client, _ = await loop.sock_accept(listener)
        client.setblocking(False)
        robot.restart()
        connection = await central.connect(BALL)

        def forward(handle, packet):
            try:
                client.send(packet)
            except OSError:
                pass

        central.l2cap_channel_manager.register_fixed_channel(ATTRIBUTE_CHANNEL, forward)
        try:
            while packet := await loop.sock_recv(client, 1024):
                connection.send_l2cap_pdu(ATTRIBUTE_CHANNEL, packet)
        except OSError:
            pass
        client.close()
        await connection.disconnect()


if __name__ == "__main__":
    asyncio.run(serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]) if len(sys.argv) > 3 else 20))
