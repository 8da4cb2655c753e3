// Tests the page over the browser's real Web Serial; the serial port is a pseudo-terminal served by `sphero simulate`.
//
//   node serial.mjs CHROMIUM sphero.html CAPTURE
//
// Tests/Tools/page runs this script in a mount namespace in which /dev/ttyS0 is the pseudo-terminal and /etc/chromium is
// a temporary folder. CAPTURE is the simulator's capture of the bytes that it receives and sends.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { check, conclude, part } from "./checks.mjs";
import { Browser } from "./chromium.mjs";
import { commandsIn, hex, roll, stream } from "./packets.mjs";

const [program, path, capture] = process.argv.slice(2);
const server = createServer((request, response) => response.setHeader("Content-Type", "text/html").end(request.url === "/" ? readFileSync(path) : ""));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;
// The policy grants ports without a user prompt; it applies to origins, so the page is served over HTTP.
mkdirSync("/etc/chromium/policies/managed", { recursive: true });
writeFileSync("/etc/chromium/policies/managed/serial.json", JSON.stringify({ SerialAllowAllPortsForUrls: [origin] }));

const browser = await Browser.start(program);
try {
  await part("the real Web Serial", async () => {
    const tab = await browser.open(`${origin}/`);
    const ports = await tab.until("the browser lists a port", "navigator.serial.getPorts().then((ports) => ports.length)");
    check("the browser lists one port", 1, ports);
    await tab.until("the port is offered", "!document.getElementById('again').hidden");
    await tab.click("again");
    await tab.until("the robot is live", "window.sphero.view().link === 'live'");
    await tab.until("three seconds of samples arrive", "window.sphero.view().stream.samples >= 60");
    const { stream: figures, name } = await tab.view();
    check("no samples are lost", 0, figures.lost);
    check("the robot has reported its name", "Sphero-TTY", name);
    await tab.until("the aiming dialog opens", "document.getElementById('aiming').open");
    await tab.press("Enter");
    await tab.until("the aiming dialog closes", "!document.getElementById('aiming').open");
    await tab.value("document.querySelector('#swatches [aria-label=orange]').click()");
    const { x, y, along } = await tab.place("stick");
    await tab.mouse("mousePressed", x, y - along * 0.5);
    await tab.until("the ball rolls", "window.sphero.view().motion.y > 15");
    await tab.value("document.getElementById('disconnect').click()");
    await tab.until("the session has ended", "['left', 'closed'].includes(window.sphero.view().link) && !document.getElementById('choices').hidden");
    await tab.mouse("mouseReleased", x, y);

    const receivedCommands = () => commandsIn(Buffer.from(readFileSync(capture, "utf8").split("\n").map((line) => line.match(/^[\d.]+ > ([0-9A-F ]+)/)?.[1] ?? "").join("").replaceAll(" ", ""), "hex"));
    await tab.until("the capture contains the end of the stream", async () => receivedCommands().some((command) => command.id === "02:11" && stream(command).mask === 0));
    const commands = receivedCommands();
    check("the robot received the colour", "ff a5 00 00", hex(commands.filter(({ id }) => id === "02:20").at(-1)?.payload ?? []));
    const rolls = commands.filter(({ id }) => id === "02:30").map(roll);
    check("the robot received a roll", "a roll", rolls[0], rolls[0]?.speed > 0);
    check("the last roll stops the ball", { speed: 0, state: 0 }, { speed: rolls.at(-1)?.speed, state: rolls.at(-1)?.state });
    // The host uses consecutive sequence numbers, and a retry reuses the number of its command.
    // The pings that probe for a robot use separate numbers.
    const requests = commands.slice(commands.findIndex(({ id }) => id !== "00:01"));
    const numbers = new Set(requests.map(({ sequence }) => (sequence - requests[0].sequence + 256) % 256));
    check("the robot received all sequence numbers", Math.max(...numbers) + 1, numbers.size);
    check("no errors or warnings in the console", [], tab.problems);
    await tab.click("again");
    await tab.until("the port is free: a second session starts", "window.sphero.view().link === 'live' && document.getElementById('aiming').open");
    await tab.press("Escape");
    await tab.click("disconnect");
    await tab.until("the second session ends", "['left', 'closed'].includes(window.sphero.view().link)");
  });
} finally {
  await browser.close();
  server.close();
}
conclude("the real Web Serial");
