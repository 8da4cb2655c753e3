"""Calls the public methods of `Sphero` of SpheroPy 0.0.4."""

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


def invoke(name, *arguments, check=None, **named):
    method = getattr(robot, name)
    call(name, lambda: asyncio.run(method(*arguments, **named)), check)


invoke("connect", address=sys.argv[1], port=1)
invoke("ping")
call("ping, no answer", lambda: asyncio.run(robot.ping(wait_for_response=False)))
invoke("get_version_info", check=lambda info: info.model_number == 3)
invoke("set_device_name", "Sphero-ABC")
invoke("get_bluetooth_info", check=lambda info: info.name.rstrip("\0") == "Sphero-ABC" and info.id_colors == "RGB")
invoke("set_auto_reconnect", True, 30)
invoke("get_auto_reconnect", check=lambda info: info == (True, 30))
invoke("get_power_state", check=lambda state: 600 < state.battery_voltage < 900)
invoke("set_power_notification", True)
expect("power notification", lambda: powers)
invoke("set_heading", 0)
invoke("set_stabilization", False)
invoke("set_stabilization", True)
invoke("self_level")
expect("self-level result", lambda: levels, 20)
# SpheroPy omits the option bit that keeps the control system on.
invoke("set_stabilization", True)
# SpheroPy sends numbers with the wrong byte order; these two values are byte-symmetric.
invoke("configure_locator", True, 257, -1, 0)
invoke("get_locator_info", check=lambda info: (info.pos_x, info.pos_y) == (257, -1))
invoke("set_rgb_led", 1, 2, 3, save_as_user_led_color=True)
invoke("get_rgb_led", check=lambda color: list(color) == [1, 2, 3])
invoke("set_back_led", 255)
invoke("configure_collision_detection", True, 50, 50, 50, 50, 10)
invoke("roll", 200, 90)
expect("collision", lambda: collisions)
invoke("roll", 0, 90)
invoke("roll", 0, 0, spheropy.RollMode.IN_PLACE_ROTATE)
invoke("configure_collision_detection", False, 0, 0, 0, 0, 0)
call("disconnect", robot.disconnect)
# SpheroPy's thread would read from the closed socket forever.
sys.stdout.flush()
os._exit(0)
