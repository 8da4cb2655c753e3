"""Calls the public methods of `Kulka` of Kulka 0.3.0."""

import sys

from calls import call
from kulka import Kulka

robot = None


def connect():
    global robot
    robot = Kulka(sys.argv[1])


call("connect", connect)
call("set_inactivity_timeout", lambda: robot.set_inactivity_timeout(600))
call("set_rgb", lambda: robot.set_rgb(1, 2, 3))
call("set_rgb, saved", lambda: robot.set_rgb(1, 2, 3, 1))
call("set_back_led", lambda: robot.set_back_led(255))
call("roll", lambda: robot.roll(50, 270))
call("roll, stop", lambda: robot.roll(0, 270, 0))
call("sleep", lambda: robot.sleep())
call("close", robot.close)
