"""Runs other estimators with the input and output formats of Fusion.swift.

peers.py FILE...          prints the errors of VQF on BROAD recordings
peers.py delays FILE...   prints the delays of gyroscope and accelerometer relative to the cameras in milliseconds
peers.py trials DIRECTORY writes the attitudes that VQF, Madgwick, Mahony and imufusion estimate for simulated motion
"""

import sys
from pathlib import Path

import numpy as np
from vqf import VQF

RATE = 2000 / 7


def read(path):
    """Returns gyroscope (rad/s), accelerometer (g), ground truth (w x y z), the valid rows, and the decimation of the file."""
    lines = [line for line in open(path) if line.strip() and not line.startswith("#")]
    names = lines[0].strip().split(",")
    thinned = "gx_pick" in names
    first = names.index("gx_pick" if thinned else "gyr_x")
    rows = np.array([[float(x or "nan") for x in line.strip().split(",")] for line in lines[1:]])[:, first:]
    rate = rows[:, :3] if thinned else np.deg2rad(rows[:, :3] * 0.01)
    force = rows[:, 3:6] / (9.81 if thinned else 8192)
    truth = rows[:, 6:10] / np.linalg.norm(rows[:, 6:10], axis=1, keepdims=True)
    return rate, force, truth, (rows[:, 10] > 0) & ~np.isnan(truth).any(1), 6 if thinned else 1


def product(a, b):
    (w, x, y, z), (s, t, u, v) = a.T, b.T
    return np.array(
        [w * s - x * t - y * u - z * v, w * t + x * s + y * v - z * u,
         w * u - x * v + y * s + z * t, w * v + x * u - y * t + z * s])


def errors(attitude, truth):
    w, x, y, z = product(attitude, truth * [1, -1, -1, -1])
    heading = 2 * np.arctan2(z, w)
    offset = np.angle(np.exp(1j * heading).sum())
    heading = (heading - offset + np.pi) % (2 * np.pi) - np.pi
    inclination = 2 * np.arctan2(np.hypot(x, y), np.hypot(w, z))
    total = 2 * np.arccos(np.minimum(np.cos(inclination / 2) * np.abs(np.cos(heading / 2)), 1))
    return [np.rad2deg(np.sqrt((e**2).mean())) for e in (inclination, heading, total)]


def third_order(rate, interval):
    """Returns the mean rate over each step: third-order Adams-Moulton with a coning correction."""
    mean = rate.copy()
    mean[2:] = (5 * rate[2:] + 8 * rate[1:-1] - rate[:-2]) / 12 + interval / 12 * np.cross(rate[1:-1], rate[2:])
    return mean


def recordings(paths):
    for path in paths:
        rate, force, truth, counts, thinned = read(path)
        for count in (1, 6, 14):
            if count % thinned:
                continue
            step, interval = count // thinned, count / RATE
            rows = slice(step - 1, None, step)
            unit = np.deg2rad(0.1)
            words = np.ascontiguousarray(np.round(rate[rows] / unit) * unit)
            forces = np.ascontiguousarray(np.round(force[rows] * 4096) / 4096 * 9.81)
            for name, rates in (("VQF", words), ("VQF-third", third_order(words, interval))):
                attitude = VQF(interval).updateBatch(rates, forces)["quat6D"]
                kept = counts[rows]
                print(path.split("/")[-1], count, name, *errors(attitude[kept], truth[rows][kept]))


def delays(paths):
    """Estimates delays by regression of each sensor's difference from the cameras on its derivative, during motion."""
    for path in paths:
        rate, force, truth, counts, thinned = read(path)
        interval, inverse = thinned / RATE, truth * [1, -1, -1, -1]
        step = product(inverse[:-2], truth[2:]).T
        camera = np.full_like(rate, np.nan)
        camera[1:-1] = np.sign(step[:, :1]) * step[:, 1:] / interval
        change = np.gradient(rate, interval, axis=0)
        up = product(product(inverse, np.tile([0.0, 0, 0, 1], (len(truth), 1))).T, truth)[1:].T
        turning = np.cross(rate, up)
        kept = counts & ~np.isnan(camera).any(1)
        difference, residual = (rate - camera)[kept], (force - up)[kept]
        difference -= difference.mean(0)
        gyroscope = -(difference * change[kept]).sum() / (change[kept] ** 2).sum()
        accelerometer = (residual * turning[kept]).sum() / (turning[kept] ** 2).sum()
        # About three values per second are independent.
        count = len(residual) * interval / 0.3
        deviation = np.sqrt((residual**2).mean() / (turning[kept] ** 2).mean() / count)
        print(path.split("/")[-1][:8], f"{gyroscope * 1e3:.1f} {accelerometer * 1e3:.1f} +- {deviation * 1e3:.1f}")


def vqf(rate, force, field, interval):
    made = VQF(interval).updateBatch(rate, force, field) if field is not None else VQF(interval).updateBatch(rate, force)
    return made["quat6D"] if field is None else made["quat9D"]


def madgwick(rate, force, field, interval):
    from ahrs.filters import Madgwick

    return None if field is not None else Madgwick(gyr=rate, acc=force, Dt=interval, gain=0.04).Q


def mahony(rate, force, field, interval):
    from ahrs.filters import Mahony

    return None if field is not None else Mahony(gyr=rate, acc=force, Dt=interval, k_P=0.2, k_I=1e-12).Q


def imufusion(rate, force, field, interval):
    from imufusion import Ahrs

    if field is not None:
        return None
    peer, attitudes = Ahrs(), []
    peer.set_sample_period(interval)
    for gyroscope, accelerometer in zip(np.rad2deg(rate), force / 9.81):
        peer.update_no_magnetometer(gyroscope, accelerometer)
        attitudes.append(peer.get_quaternion())
    return np.array(attitudes)


def trials(directory):
    peers = {
        "VQF": vqf,
        "VQF-third": lambda rate, force, field, interval: vqf(third_order(rate, interval), force, field, interval),
        "Madgwick": madgwick, "Mahony": mahony, "imufusion": imufusion}
    for path in sorted(Path(directory).glob("*.trial")):
        interval = 1 / float(path.open().readline())
        rows = np.loadtxt(path, skiprows=1)
        rate, force, field = (np.ascontiguousarray(rows[:, i : i + 3]) for i in (0, 3, 6))
        field = None if np.isnan(field).any() else field
        seed = int(path.stem.split("-")[1])
        for name, peer in peers.items():
            # The other estimators process samples one by one in Python, which is slow.
            if seed >= 508 and not name.startswith("VQF"):
                continue
            try:
                attitudes = peer(rate, force * 9.81, field, interval)
            except (ImportError, AttributeError) as missing:
                print(f"{name}: {missing}", file=sys.stderr)
                continue
            if attitudes is not None:
                np.savetxt(path.with_suffix("." + name), attitudes, fmt="%.9f")


if __name__ == "__main__":
    if sys.argv[1] == "trials":
        trials(sys.argv[2])
    elif sys.argv[1] == "delays":
        delays(sys.argv[2:])
    else:
        recordings(sys.argv[1:])
