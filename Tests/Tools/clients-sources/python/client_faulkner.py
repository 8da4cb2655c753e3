"""Calls the implemented methods of `Sphero` of the package `sphero` 0.0.1, over pyserial."""

import sys

from calls import call
from sphero import Sphero

robot = Sphero(sys.argv[1])

call("connect", robot.connect)
call("ping", robot.ping)
call("set_rgb", lambda: robot.set_rgb(1, 2, 3, True))
call("get_rgb", robot.get_rgb, lambda color: (color.r, color.g, color.b) == (1, 2, 3))
call("set_device_name", lambda: robot.set_device_name("Sphero-ABC"))
call("get_device_name", robot.get_device_name, lambda name: name == b"Sphero-ABC")
call("get_bluetooth_info", robot.get_bluetooth_info, lambda info: len(info.bta) == 12)
call("set_heading", lambda: robot.set_heading(45))
call("set_stabilization, off", lambda: robot.set_stabilization(0))
call("set_stabilization, on", lambda: robot.set_stabilization(1))
call("set_rotation_rate", lambda: robot.set_rotation_rate(0xC8))
call("set_back_led_output", lambda: robot.set_back_led_output(255))
call("roll", lambda: robot.roll(0x80, 270))
call("roll, on the spot", lambda: robot.roll(0, 90, 2))
call("stop", robot.stop)
call("sleep", robot.sleep)
