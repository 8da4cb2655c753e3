// Tests an hour of samples in virtual time, partly with the throttled timers of a background tab.
import { check } from "./checks.mjs";
import { stream } from "./packets.mjs";
import { World } from "./world.mjs";

const [hertz, minutes, minutesInBackground] = [20, 60, 20];

export async function streamsAnHour() {
  const world = await World.make();
  world.connect("accel,gyro,imu,velocity", hertz);
  world.news.length = 0;
  const { samples: before } = world.view.stream;
  let [count, lastArrival, longestGap, last, unevenTimes, begin] = [0, world.now, 0, null, 0, world.now];
  const each = () => {
    for (const item of world.news.splice(0)) {
      if (item.kind !== "sample") continue;
      longestGap = Math.max(longestGap, world.now - lastArrival);
      lastArrival = world.now;
      // The host estimates the robot's clock, so a time may be off by a few milliseconds.
      if (last !== null && Math.abs(item.time - last - 1 / hertz) > 0.1 / hertz) unevenTimes++;
      last = item.time;
      count++;
    }
  };
  const half = ((minutes - minutesInBackground) / 2) * 60_000;
  world.run(half, { each });
  const renewalsBefore = world.view.stream.renewals;
  world.run(minutesInBackground * 60_000, { each, tick: 1000 });
  const renewalsInBackground = world.view.stream.renewals - renewalsBefore;
  world.run(half, { each });

  const { stream: figures } = world.view;
  const requests = world.commands("02:11").map(stream);
  const expected = hertz * minutes * 60;
  check(`an hour has ${expected} samples, plus or minus one`, expected, count, Math.abs(count - expected) <= 1);
  check("the virtual clock advances by one hour", minutes * 60_000, Math.round(world.now - begin));
  check("the view has the same count", count, figures.samples - before);
  check("no samples are lost", 0, figures.lost);
  check("each request has a finite packet count, one frame per packet, and divisor 20", true,
    requests.every(({ packets, divisor, frames }) => packets > 0 && packets < 256 && divisor === 400 / hertz && frames === 1));
  const counted = requests.reduce((sum, { packets }) => sum + packets, 0);
  check("the packet counts of all requests cover the samples", `at least ${count}`, counted, counted >= count);
  check("there are enough renewals for counts of at most 255", `at least ${Math.ceil(count / 255)}`, figures.renewals, figures.renewals >= Math.ceil(count / 255));
  check("the view's renewals are the requests after the first", requests.length - 1, figures.renewals);
  const needed = Math.floor((minutesInBackground * 60 * hertz) / 255);
  check("with throttled timers, arriving bytes trigger renewals", `at least ${needed} in ${minutesInBackground} minutes`, renewalsInBackground, renewalsInBackground >= needed);
  check("the longest gap between samples is one period plus the line's delay", `at most ${1000 / hertz + 5} ms`, `${longestGap} ms`, longestGap <= 1000 / hertz + 5);
  check("the sample times are one period apart", 0, unevenTimes);
  check("the memory stays below 32 MiB", true, world.memorySize < 32 << 20);
}
