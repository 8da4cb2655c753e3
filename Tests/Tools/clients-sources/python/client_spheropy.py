"""SpheroPy 0.0.4: the public methods of its `Sphero`."""

import asyncio
import os
import sys

import spheropy
from calls import call, expect

robot = spheropy.Sphero(default_response_timeout_in_seconds=2)
collisions, powers, levels = [], [], []
robot.on_collision.append(collisions.append)
robot.on_power_state_change.append(powers.append)
robot.on_self_level_complete.append(levels.append)


def made(name, *arguments, check=None, **named):
    method = getattr(robot, name)
    call(name, lambda: asyncio.run(method(*arguments, **named)), check)


made("connect", address=sys.argv[1], port=1)
made("ping")
call("ping, no answer", lambda: asyncio.run(robot.ping(wait_for_response=False)))
made("get_version_info", check=lambda info: info.model_number == 3)
made("set_device_name", "Sphero-ABC")
made("get_bluetooth_info", check=lambda info: info.name.rstrip("\0") == "Sphero-ABC" and info.id_colors == "RGB")
made("set_auto_reconnect", True, 30)
made("get_auto_reconnect", check=lambda info: info == (True, 30))
made("get_power_state", check=lambda state: 600 < state.battery_voltage < 900)
made("set_power_notification", True)
expect("power notification", lambda: powers)
made("set_heading", 0)
made("set_stabilization", False)
made("set_stabilization", True)
made("self_level")
expect("self-level result", lambda: levels, 20)
# It leaves the bit out that keeps the control system on.
made("set_stabilization", True)
# It sends the bytes of a number in the wrong order: these two read the same both ways.
made("configure_locator", True, 257, -1, 0)
made("get_locator_info", check=lambda info: (info.pos_x, info.pos_y) == (257, -1))
made("set_rgb_led", 1, 2, 3, save_as_user_led_color=True)
made("get_rgb_led", check=lambda color: list(color) == [1, 2, 3])
made("set_back_led", 255)
made("configure_collision_detection", True, 50, 50, 50, 50, 10)
made("roll", 200, 90)
expect("collision", lambda: collisions)
made("roll", 0, 90)
made("roll", 0, 0, spheropy.RollMode.IN_PLACE_ROTATE)
made("configure_collision_detection", False, 0, 0, 0, 0, 0)
call("disconnect", robot.disconnect)
# Its thread would read from the closed socket for ever.
sys.stdout.flush()
os._exit(0)
