"""A Bluetooth controller for the kernel, and in its range two robots with Bluetooth LE.

  controller.py PORT PORT

The controller is Bumble's behind /dev/vhci; each PORT is the TCP port of a `sphero simulate`. The first robot has a
random address; the second has a public one that looks random. The controller has no classic part that a kernel accepts
(Read Voice Setting and other commands are missing), so RFCOMM cannot be tested.
"""
import asyncio
import sys

from bumble.controller import Controller
from bumble.core import AdvertisingData
from bumble.device import Device
from bumble.hci import Address, LeFeatureMask, OwnAddressType
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


# A random static address begins with two bits that are 1; so does this address, which is public.
PUBLIC_BALL = Address("C4:BE:84:00:12:34", Address.PUBLIC_DEVICE_ADDRESS)


async def low_energy(link, port, name, address):
    ball = Device(name=name, address=BALL if address.is_public else address, host=Host())
    ball.host.controller = Controller(name, link=link, public_address=address if address.is_public else None)
    robot = Robot(ball, 20)
    ball.on("connection", lambda connection: robot.restart())
    ball.advertising_data = bytes(AdvertisingData([
        (AdvertisingData.FLAGS, bytes([6])), (AdvertisingData.COMPLETE_LOCAL_NAME, name.encode()),
        (AdvertisingData.MANUFACTURER_SPECIFIC_DATA, bytes.fromhex("3330"))]))
    await ball.power_on()
    await ball.start_advertising(
        auto_restart=True, own_address_type=OwnAddressType.PUBLIC if address.is_public else OwnAddressType.RANDOM)
    return asyncio.get_running_loop().create_task(robot.notify(port))


async def main(port, public_port):
    async with await open_transport("vhci") as hci:
        link = Link()
        front = Controller(
            "host", host_source=hci.source, host_sink=hci.sink, link=link,
            public_address=Address("F0:F1:F2:F3:F4:F5", Address.PUBLIC_DEVICE_ADDRESS))
        # With these features the kernel waits for an event that Bumble does not send.
        front.le_features &= ~(
            LeFeatureMask.LL_PRIVACY | LeFeatureMask.LE_EXTENDED_ADVERTISING | LeFeatureMask.LE_PERIODIC_ADVERTISING)
        notifiers = [
            await asyncio.wait_for(low_energy(link, port, "BB-D911", BALL), 15),
            await asyncio.wait_for(low_energy(link, public_port, "2B-1234", PUBLIC_BALL), 15)]
        print("ready", flush=True)
        await asyncio.wait([*notifiers, asyncio.ensure_future(hci.source.wait_for_termination())], return_when=asyncio.FIRST_COMPLETED)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2])))
