// Tests the panels of the page, at the widths of a desktop and of a phone, with a robot of its own.
import { join } from "node:path";
import { quiet } from "./appearance.mjs";
import { part } from "./checks.mjs";
import * as floor from "./floor.mjs";
import * as measurements from "./measurements.mjs";
import * as playback from "./playback.mjs";
import * as programs from "./programs.mjs";

/** Runs the parts for each width; `files` is a folder for opened files, `downloads` that of the browser. */
export async function panels(browser, url, files, downloads) {
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
}
