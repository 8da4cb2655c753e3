"""Calls the toy `Sphero` and `SpheroEduAPI` of spherov2 0.12.1, over an adapter for a terminal."""

import sys
import threading
import time
from types import SimpleNamespace

from calls import call, expect
from spherov2.commands.core import Core, IntervalOptions
from spherov2.commands.sphero import CollisionDetectionMethods, RawMotorModes, ReverseFlags, RollModes
from spherov2.commands.sphero import Sphero as Commands
from spherov2.listeners.sphero import Options
from spherov2.toy.sphero import Sphero
from terminal import Terminal


class Adapter:
    """Forwards writes to the command characteristic to the terminal, and ignores the other characteristics."""

    def __init__(self, address):
        self.terminal = Terminal()
        self.terminal.open(address)
        self.thread = None

    def set_callback(self, uuid, callback):
        def read():
            while data := self.terminal.recv(1024):
                callback(uuid, bytearray(data))

        self.thread = threading.Thread(target=read, daemon=True)
        self.thread.start()

    def write(self, uuid, data):
        if uuid == Sphero._send_uuid:
            self.terminal.send(data)

    def close(self):
        self.terminal.close()
        if self.thread:
            self.thread.join()


def toy():
    return Sphero(SimpleNamespace(address=sys.argv[1], name="Sphero-SIM"), Adapter)


robot = toy()
options = Options(False, True, False, False, True, False, False)
stop = Options(True, False, False, False, False, False, False)
samples, collisions, powers = [], [], []

call("connect", robot.__enter__)
call("wake", robot.wake)
call("get_versions", robot.get_versions, lambda versions: versions.model_number == 3)
call("set_bluetooth_name", lambda: robot.set_bluetooth_name(b"Sphero-ABC"))
call("get_bluetooth_info", robot.get_bluetooth_info, lambda info: info.name == b"Sphero-ABC")
call("get_power_state", robot.get_power_state, lambda state: 6 < state.voltage < 9)
call("get_charger_state", robot.get_charger_state)
call("get_factory_config_block_crc", lambda: Core.get_factory_config_block_crc(robot))
robot.add_battery_state_changed_notify_listener(powers.append)
call("enable_battery_state_changed_notify", lambda: robot.enable_battery_state_changed_notify(True))
expect("battery state", lambda: powers)
call("set_inactivity_timeout", lambda: robot.set_inactivity_timeout(600))
call("get_chassis_id", robot.get_chassis_id)
call("get_temperature", robot.get_temperature, lambda degrees: 0 < degrees < 60)
call("get_sku", lambda: bytes(Commands.get_sku(robot)))
call("set_persistent_options", lambda: robot.set_persistent_options(options))
call("get_persistent_options", robot.get_persistent_options, lambda found: found == options)
call("set_temporary_options", lambda: robot.set_temporary_options(stop))
call("get_temporary_options", lambda: Commands.get_temporary_options(robot), lambda found: found == stop)
call("set_main_led", lambda: robot.set_main_led(1, 2, 3))
call("set_back_led_brightness", lambda: robot.set_back_led_brightness(255))
call("set_heading", lambda: robot.set_heading(0))
call("set_stabilization", lambda: robot.set_stabilization(True))
call("set_rotation_rate", lambda: robot.set_rotation_rate(200))
call("configure_locator", lambda: robot.configure_locator(0, 0, 0, 0))
call("set_motion_timeout", lambda: robot.set_motion_timeout(2000))
call("self_level", lambda: robot.self_level(True, True, False, True, 3, 5, 10))
robot.add_sensor_streaming_data_notify_listener(samples.append)
call("set_data_streaming", lambda: robot.set_data_streaming(40, 1, 0x0007E000, 20, 0x0DC00000))
expect("20 packets of 11 words", lambda: len(samples) == 20 and all(len(words) == 11 for words in samples))
robot.add_collision_detected_notify_listener(collisions.append)
call(
    "configure_collision_detection",
    lambda: robot.configure_collision_detection(CollisionDetectionMethods.DEFAULT, 50, 50, 50, 50, 10),
)
call("roll", lambda: robot.roll(200, 90, RollModes.GO, ReverseFlags.OFF))
expect("collision", lambda: collisions)
call("roll, stop", lambda: robot.roll(0, 90, RollModes.STOP, ReverseFlags.OFF))
call("roll, calibrate", lambda: robot.roll(0, 45, RollModes.CALIBRATE, ReverseFlags.ON))
call("boost", lambda: robot.boost(1, 0))
call("set_raw_motors", lambda: robot.set_raw_motors(RawMotorModes.FORWARD, 40, RawMotorModes.REVERSE, 40))
call("set_raw_motors, off", lambda: robot.set_raw_motors(RawMotorModes.OFF, 0, RawMotorModes.OFF, 0))
for name, arguments in [
    ("roll_start", (90, 40)), ("roll_start", (90, -40)), ("roll_stop", (90,)), ("set_heading", (10,)),
    ("reset_heading", ()), ("set_stabilization", (True,)),
]:
    call(f"drive_control.{name}", lambda: getattr(robot.drive_control, name)(*arguments))
kinds = []
robot.sensor_control.add_sensor_data_listener(lambda data: kinds.append(set(data)))
call("sensor_control.set_interval", lambda: robot.sensor_control.set_interval(50))
call("sensor_control.enable", lambda: robot.sensor_control.enable("attitude", "gyroscope", "quaternion", "speed"))
expect("sensor data", lambda: {"attitude", "gyroscope", "quaternion", "speed"} in kinds)
call("sensor_control.disable", lambda: robot.sensor_control.disable("quaternion"))
call("sensor_control.disable_all", robot.sensor_control.disable_all)
call("sleep", lambda: robot.sleep(IntervalOptions.NONE, 0, 0))
call("disconnect", lambda: robot.__exit__(None, None, None))

try:
    from spherov2.sphero_edu import SpheroEduAPI
    from spherov2.types import Color
except ImportError as error:
    print(f"SpheroEduAPI is skipped: {error}")
else:
    # The robot ignores bytes during its first two seconds of sleep.
    time.sleep(2.1)
    api = SpheroEduAPI(toy())
    call("edu: connect", api.__enter__)
    for name, arguments in [
        ("set_main_led", (Color(1, 2, 3),)), ("set_back_led", (255,)), ("fade", (Color(0, 0, 0), Color(9, 9, 9), 0.2)),
        ("strobe", (Color(9, 9, 9), 0.05, 2)), ("set_stabilization", (True,)), ("set_heading", (10,)),
        ("spin", (90, 0.3)), ("roll", (0, 40, 0.5)), ("set_speed", (40,)), ("stop_roll", ()),
        ("raw_motor", (60, 60, 0.3)), ("reset_aim", ()),
    ]:
        call(f"edu: {name}", lambda: getattr(api, name)(*arguments))
    expect("edu: orientation", lambda: api.get_orientation())
    for name in [
        "get_acceleration", "get_vertical_acceleration", "get_gyroscope", "get_velocity", "get_location",
        "get_distance", "get_speed",
    ]:
        call(f"edu: {name}", getattr(api, name), lambda value: value is not None)
    call("edu: disconnect", lambda: api.__exit__(None, None, None))
