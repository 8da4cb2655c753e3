// The page over the real Web Serial: the browser has a pseudo-terminal for a serial port, `sphero simulate` is behind it.
//
//   node serial.mjs CHROMIUM sphero.html CAPTURE
//
// Tests/Tools/page starts it where /dev/ttyS0 is that pseudo-terminal and /etc/chromium is a folder of its own;
// CAPTURE is what the simulator keeps of the bytes that it hears and says.
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { check, conclude, part } from "./checks.mjs";
import { Browser } from "./chromium.mjs";
import { commandsIn, hex, roll, stream } from "./packets.mjs";

const [program, path, capture] = process.argv.slice(2);
const server = createServer((request, response) => response.setHeader("Content-Type", "text/html").end(request.url === "/" ? readFileSync(path) : ""));
await new Promise((ready) => server.listen(0, "127.0.0.1", ready));
const origin = `http://127.0.0.1:${server.address().port}`;
// The policy lists ports without asking the user; it is for origins, which a file has not.
mkdirSync("/etc/chromium/policies/managed", { recursive: true });
writeFileSync("/etc/chromium/policies/managed/serial.json", JSON.stringify({ SerialAllowAllPortsForUrls: [origin] }));

const browser = await Browser.start(program);
try {
  await part("the real Web Serial", async () => {
    const tab = await browser.open(`${origin}/`);
    const ports = await tab.until("the browser lists a port", "navigator.serial.getPorts().then((ports) => ports.length)");
    check("the browser lists one port", 1, ports);
    await tab.until("it is offered", "!document.getElementById('again').hidden");
    await tab.click("again");
    await tab.until("the robot is live", "window.sphero.view().link === 'live'");
    await tab.until("three seconds of samples come", "window.sphero.view().stream.samples >= 60");
    const { stream: figures, name } = await tab.view();
    check("none is lost", 0, figures.lost);
    check("the robot has told its name", "Sphero-TTY", name);
    await tab.value("document.querySelector('#swatches [aria-label=orange]').click()");
    const { x, y, along } = await tab.place("stick");
    await tab.mouse("mousePressed", x, y - along * 0.5);
    await tab.until("the ball rolls", "window.sphero.view().motion.y > 15");
    await tab.value("document.getElementById('disconnect').click()");
    await tab.until("the page has left", "['left', 'closed'].includes(window.sphero.view().link) && !document.getElementById('choices').hidden");
    await tab.mouse("mouseReleased", x, y);

    const heard = () => commandsIn(Buffer.from(readFileSync(capture, "utf8").split("\n").map((line) => line.match(/^[\d.]+ > ([0-9A-F ]+)/)?.[1] ?? "").join("").replaceAll(" ", ""), "hex"));
    await tab.until("the simulator has noted the end of the stream", async () => heard().some((command) => command.id === "02:11" && stream(command).mask === 0));
    const commands = heard();
    check("the robot heard the colour", "ff a5 00 00", hex(commands.filter(({ id }) => id === "02:20").at(-1)?.payload ?? []));
    const rolls = commands.filter(({ id }) => id === "02:30").map(roll);
    check("it heard the ball roll ahead", "a roll", rolls[0], rolls[0]?.speed > 0);
    check("and, at the end, stop", { speed: 0, state: 0 }, { speed: rolls.at(-1)?.speed, state: rolls.at(-1)?.state });
    // The host numbers what it sends one after the other; what is repeated has its number again.
    // The pings that look for a robot have numbers of their own.
    const asked = commands.slice(commands.findIndex(({ id }) => id !== "00:01"));
    const numbers = new Set(asked.map(({ sequence }) => (sequence - asked[0].sequence + 256) % 256));
    check("no number is missing among the commands that were heard", Math.max(...numbers) + 1, numbers.size);
    check("nothing went wrong unseen", [], tab.problems);
    await tab.click("again");
    await tab.until("the port is free: a second conversation begins", "window.sphero.view().link === 'live'");
    await tab.click("disconnect");
    await tab.until("and ends", "['left', 'closed'].includes(window.sphero.view().link)");
  });
} finally {
  await browser.close();
  server.close();
}
conclude("the real Web Serial");
