"""Makes the calls of a client, and prints one line per call with the outcome and, if it failed, the reason."""

import time

from terminal import Terminal


def _report(outcome, name, reason=""):
    print(f"::{outcome}\t{name}\t{' '.join(str(reason).split())}", flush=True)


def call(name, function, check=None):
    """Makes a call that should succeed."""
    try:
        result = function()
    except Exception as error:
        return _report("failed", name, f"{type(error).__name__} {error}")
    refusals = Terminal.last.refusals if Terminal.last else []
    if refusals:
        reason = "refused with " + ", ".join(f"{status:02X}" for status in refusals)
        refusals.clear()
        return _report("failed", name, reason)
    if check is not None and not check(result):
        return _report("failed", name, f"unexpected answer {result!r}")
    _report("succeeded", name)


def own(name, function, why):
    """Makes a call that fails with every robot because of a defect of the client."""
    try:
        function()
        failed = False
    except Exception:
        failed = True
    refusals = Terminal.last.refusals if Terminal.last else []
    failed = failed or bool(refusals)
    refusals.clear()
    _report("own" if failed else "succeeded", name, why if failed else "")


def expect(name, predicate, seconds=5):
    """Waits for an asynchronous message of the robot."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if predicate():
            return _report("succeeded", name)
        time.sleep(0.01)
    _report("failed", name, f"no message within {seconds} s")
