"""A Bluetooth controller for the kernel, and in its range a robot with Bluetooth LE.

  controller.py PORT

The controller is Bumble's behind /dev/vhci; PORT is the TCP port of `sphero simulate`. The controller has no classic
part that a kernel accepts (Read Voice Setting and other commands are missing), so RFCOMM cannot be tested.
"""
import asyncio
import sys

from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.hci import Address, LeFeatureMask
from bumble.host import Host
from bumble.link import LocalLink
from bumble.transport import open_transport

from peripheral import BALL, Robot


class Link(LocalLink):
    """The kernel's host uses its public address; Bumble's link would name the random one as the sender."""

    def send_acl_data(self, sender, destination, transport, data):
        receiver = self.find_le_controller(destination)
        line = sender.le_connections.get(destination)
        if receiver and line:
            asyncio.get_running_loop().call_soon(lambda: receiver.on_link_acl_data(line.self_address, transport, data))
        else:
            super().send_acl_data(sender, destination, transport, data)


async def low_energy(link, port):
    ball = Device(name="BB-D911", address=BALL, host=Host())
    ball.host.controller = Controller("ball", link=link)
    robot = Robot(ball, 20)
    ball.on("connection", lambda connection: robot.restart())
    ball.advertising_data = bytes(AdvertisingData([
        (AdvertisingData.FLAGS, bytes([6])), (AdvertisingData.COMPLETE_LOCAL_NAME, b"BB-D911"),
        (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, bytes.fromhex("3330"))]))
    await ball.power_on()
    await ball.start_advertising(auto_restart=True)
    return asyncio.get_running_loop().create_task(robot.notify(port))


async def main(port):
    async with await open_transport("vhci") as hci:
        link = Link()
        front = Controller(
            "host", host_source=hci.source, host_sink=hci.sink, link=link,
            public_address=Address("F0:F1:F2:F3:F4:F5", Address.PUBLIC_DEVICE_ADDRESS))
        # With these features the kernel waits for an event that Bumble does not send.
        front.le_features &= ~(
            LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING | LeFeatureMask.LE_PERIODIC_ADVERTISING)
        notifier = await asyncio.wait_for(low_energy(link, port), 15)
        print("ready", flush=True)
        await asyncio.wait([notifier, asyncio.ensure_future(hci.source.wait_for_termination())], return_when=asyncio.FIRST_COMPLETED)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1])))
