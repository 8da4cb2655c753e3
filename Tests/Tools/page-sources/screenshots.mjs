// Captures the README's screenshots of the page while the simulated ball drives a curve: light, dark, and on a phone.
//
//   node screenshots.mjs CHROMIUM sphero.html FOLDER
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser } from "./chromium.mjs";

const [program, path, folder] = process.argv.slice(2);
const pictures = [
  { name: "page-light", scheme: "light", width: 1280, height: 720, scale: 1, tab: "light", color: "#ff8800" },
  { name: "page-dark", scheme: "dark", width: 1280, height: 720, scale: 1, tab: "light", color: "#00c2ff" },
  { name: "page-phone", scheme: "light", width: 390, height: 844, scale: 2, tab: "drive", color: "#ff2f92" },
];

/** A horizontal figure eight: it closes because the heading's amplitude is a zero of the Bessel function J0. */
const curve = (seconds) => {
  const heading = 2.405 * Math.sin((2 * Math.PI * seconds) / 8);
  return [0.9 * Math.sin(heading), 0.9 * Math.cos(heading)];
};

const browser = await Browser.start(program);
try {
  for (const { name, scheme, width, height, scale, tab: selected, color } of pictures) {
    const tab = await browser.open(`file://${path}`, {
      width, height, scale,
      prepare: async (tab) => {
        await tab.call("Emulation.setEmulatedMedia", { features: [{ name: "prefers-color-scheme", value: scheme }] });
        await tab.call("Emulation.setScrollbarsHidden", { hidden: true });
      },
    });
    await tab.click("simulate");
    await tab.until("samples arrive", "window.sphero.view().link === 'live' && window.sphero.view().stream.rate > 10");
    await tab.value(`window.sphero.say("color ${color}"), window.sphero.say("speed 0.15"), document.getElementById("tab-${selected}").click()`);
    const { x, y, along } = await tab.value(`(() => { const box = document.getElementById("stick").getBoundingClientRect();
      return { x: box.x + box.width / 2, y: box.y + box.height / 2, along: box.height / 2 }; })()`);
    await tab.mouse("mousePressed", x, y);
    // Timed by the ball's samples, so that the path has the same length on a slow machine.
    const { samples: first } = (await tab.view()).stream;
    await tab.until("the ball has driven for seven seconds", async () => {
      const { samples } = (await tab.view()).stream;
      const [right, up] = curve((samples - first) / 20);
      await tab.mouse("mouseMoved", x + right * along * 0.72, y - up * along * 0.72);
      return samples - first >= 140;
    });
    const { data } = await tab.call("Page.captureScreenshot", { format: "png" });
    writeFileSync(join(folder, `${name}.png`), Buffer.from(data, "base64"));
    console.log(join(folder, `${name}.png`));
    await tab.mouse("mouseReleased", x, y);
    await tab.close();
  }
} finally {
  await browser.close();
}
