// Tests the panels of the page in headless Chromium with the simulated robot, at the widths of a desktop and of a phone.
//
//   node panels.mjs CHROMIUM sphero.html
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { quiet } from "./appearance.mjs";
import { conclude, part } from "./checks.mjs";
import { Browser } from "./chromium.mjs";
import * as floor from "./floor.mjs";
import * as measurements from "./measurements.mjs";
import * as playback from "./playback.mjs";
import * as programs from "./programs.mjs";

const [program, path] = process.argv.slice(2);
const url = `file://${path}`;
const began = Date.now();
const browser = await Browser.start(program);
const [files, downloads] = [join(browser.home, "files"), join(browser.home, "downloads")];
mkdirSync(downloads);
try {
  await browser.call("Browser.setDownloadBehavior", { behavior: "allow", downloadPath: downloads });
  for (const [width, height] of [[1280, 900], [390, 844]]) {
    await part(`the panels at ${width} by ${height}`, async () => {
      // Settings of earlier parts do not count.
      const tab = await browser.open(url, { width, height, scripts: ["localStorage.clear()"] });
      await tab.click("simulate");
      await tab.until("the robot is live", "window.sphero.view().link === 'live'");
      let capture;
      for (const [title, body] of [
        ["the floor: go and turn", () => floor.goesAndTurns(tab)],
        ["the floor: a drawn path", () => floor.follows(tab)],
        ["the floor: collisions and the path", () => floor.marksAndPath(tab, downloads)],
        ["programs: errors", () => programs.showsErrors(tab)],
        ["programs: run", () => programs.runs(tab)],
        ["programs: stop", () => programs.stops(tab)],
        ["programs: output without end", () => programs.printsWithoutEnd(tab)],
        ["programs: examples, and the user's own", () => programs.keepsPrograms(tab, files)],
        ["the motion screen", () => measurements.motionScreen(tab)],
        ["filters", () => measurements.filters(tab)],
        ["offsets at rest", () => measurements.offsets(tab, downloads)],
        ["the balance game", () => measurements.balance(tab)],
        ["playback: time", async () => (capture = await playback.movesInTime(tab, downloads))],
        ["playback: play and pause", () => playback.plays(tab)],
        ["playback: without a robot", () => playback.playsWithoutRobot(tab)],
        ["playback: other files", () => playback.otherFiles(tab, files, capture)],
        ...(width > 1000 ? [[`playback: ${playback.megabytes} MB`, () => playback.large(tab, files)]] : []),
      ])
        await part(title, () => body().finally(() => tab.releaseMouse()));
      quiet(tab, url);
      await tab.close();
    });
  }
} finally {
  await browser.close();
}
console.log(`${((Date.now() - began) / 1000).toFixed(1)} s`);
conclude("the panels in Chromium");
