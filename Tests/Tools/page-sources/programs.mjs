// Tests the editor of programs: its errors, run and stop on the simulated ball, examples, files, and the keyboard alone.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "./checks.mjs";
import { now, text } from "./expressions.mjs";

const output = (tab) => text(tab, "program-output");
const ends = (tab) => tab.until("the program has ended", `${now}.program === null`);

/** Replaces the text in the editor as a keyboard does. */
async function type(tab, program, language) {
  await tab.reveal("program-text");
  await tab.value(`document.querySelector("[name=language][value=${language}]").click(), document.getElementById("program-text").focus(), document.getElementById("program-text").select()`);
  await tab.call("Input.insertText", { text: program });
}

/** Presses Tab until an element has the focus. */
async function tabTo(tab, id) {
  for (let steps = 0; steps < 12; steps++) {
    if ((await tab.value("document.activeElement.id")) === id) return;
    await tab.press("Tab");
  }
  throw new Error(`Tab does not reach ${id}`);
}

/** An error is shown with its line, which is marked; a press on it puts the caret there, and the program does not run. */
export async function showsErrors(tab) {
  await type(tab, "# Colours.\nrgb 255 0 0\nrgb 300 0 0\nrgb 1 2 3\nturn 5\n", "macro");
  await tab.until("the error is shown", "/^Line 3/.test(document.getElementById('program-errors').textContent)");
  check("it names line, character, field and range", "Line 3, character 5: 'red' is 300, …", await text(tab, "program-errors"),
    /^Line 3, character 5: 'red' is 300, but must be 0\.\.\.255\./.test(await text(tab, "program-errors")));
  check("each line with an error has one", ["Line 3", "Line 5"],
    await tab.value("[...document.querySelectorAll('#program-errors button')].map((button) => button.textContent.slice(0, 6))"));
  check("the lines are marked", { marked: "3,5", invalid: "true" },
    await tab.value("({ marked: [...document.querySelectorAll('#program-lines .is-wrong')].map((line) => line.textContent).join(), invalid: document.getElementById('program-text').ariaInvalid })"));
  await tabTo(tab, "program-error-2");
  await tab.press("Enter");
  check("a press on the second error puts the caret there", ["program-text", 45], await tab.value("[document.activeElement.id, document.activeElement.selectionStart]"));
  await tabTo(tab, "program-error-1");
  await tab.press("Enter");
  check("a press on the error puts the caret there", ["program-text", 27], await tab.value("[document.activeElement.id, document.activeElement.selectionStart]"));
  await tab.value("document.getElementById('program-run').click()");
  check("a program with an error does not run", null, (await tab.view()).program);
  await type(tab, "10 print 1\n20 jump 10", "basic");
  await tab.until("the error of another language is shown", "/^Line 2, character 4: /.test(document.getElementById('program-errors').textContent)");
  await type(tab, "10 print 1\n20 end", "basic");
  await tab.until("a corrected program has a summary", "document.getElementById('program-errors').hidden && /^2 lines/.test(document.getElementById('program-summary').textContent)");
}

/** The keyboard alone runs a program, whose output is listed until its end. */
export async function runs(tab) {
  await type(tab, "marker 7\nrgb 0 255 0\nwait time=1200\nrgb 0 0 255", "macro");
  await tabTo(tab, "program-run");
  await tab.press("Enter");
  await tab.until("the program runs", `${now}.program?.state === "running" && /^Running/.test(document.getElementById("program-state").textContent)`);
  check("it can be stopped", false, await tab.value("document.getElementById('program-stop').disabled"));
  await ends(tab);
  await tab.until("marker and end are listed", "/Marker 7 at step 1.*The program has ended \\([\\d.]+ s\\)/.test(document.getElementById('program-output').textContent)");
  const seconds = Number((await output(tab)).match(/\(([\d.]+) s\)/)[1]);
  check("with the time that the program took", "1.2 s or more", seconds, seconds >= 1.2);
  // The button follows the list by a frame.
  await tab.until("it cannot be stopped any more", "document.getElementById('program-stop').disabled");
  await type(tab, "10 A = 0\n20 print \"before\"\n30 B = 1 / A", "basic");
  await tab.click("program-run");
  await tab.until("an error of a running program is listed and marked", "/before.*line numbered 30/.test(document.getElementById('program-output').textContent) && document.querySelector('#program-lines .is-wrong')?.textContent === '3'");
}

/** Each way of stopping ends the program and the ball. */
export async function stops(tab) {
  for (const [title, stop] of [
    ["Escape", () => tab.press("Escape")], ["Stop", () => tab.click("stop")], ["the button of the program", () => tab.click("program-stop")],
  ]) {
    await type(tab, "rollLong speed=60 heading=0 time=1500\nrollLong speed=60 heading=180 time=1500", "macro");
    await tab.click("program-run");
    await tab.until("the program rolls the ball", `${now}.program?.state === "running" && ${now}.motion.speed > 10`);
    await stop();
    await tab.until(`${title} ends the program`, `${now}.program === null`);
    await tab.until("and stops the ball", `${now}.motion.speed < 1`);
    await tab.until("the end is listed", "/Stopped/.test(document.getElementById('program-output').textContent)");
  }
}

/** A program that prints without a pause leaves the page fluid. */
export async function printsWithoutEnd(tab) {
  await type(tab, "10 print \"again\"\n20 goto 10", "basic");
  await tab.click("program-run");
  await tab.until("500 lines are listed", "document.getElementById('program-output').childElementCount === 500");
  const frames = await tab.value(`new Promise((resolve) => {
    let frames = 0;
    const count = () => (frames++, requestAnimationFrame(count));
    requestAnimationFrame(count);
    setTimeout(() => resolve(frames), 2000); })`);
  check("the page draws on", "more than 20 frames in 2 s", frames, frames > 20);
  await tab.click("program-stop");
  await tab.until("the program is stopped", `${now}.program === null`);
  await tab.until("the end is the last line", "/^Stopped/i.test(document.getElementById('program-output').lastElementChild.textContent)");
}

/** An example and an opened file do not replace the user's own programs, which the browser stores. */
export async function keepsPrograms(tab, folder) {
  const own = "10 print \"mine\"\n20 end";
  await type(tab, own, "basic");
  const choose = (title) => tab.value(`(() => { const list = document.getElementById("program-example");
    list.value = [...list.options].find(({ text }) => text.startsWith(${JSON.stringify(title)})).value; list.dispatchEvent(new Event("change")); })()`);
  await choose("Countdown");
  check("an example is shown", "10 ' Prints", (await tab.value("document.getElementById('program-text').value")).slice(0, 11));
  await tab.click("program-run");
  await tab.until("it prints", "/in +3in +2in +1go/.test(document.getElementById('program-output').textContent)");
  await ends(tab);
  await choose("10 print \"mine\"");
  check("the user's own program is kept", own, await tab.value("document.getElementById('program-text').value"));
  const stored = async () => JSON.parse(await tab.value("localStorage.getItem('sphero.program')"));
  check("and stored", { language: "basic", text: own }, (await stored()).at(-1));
  const count = (await stored()).length;
  await choose("Countdown");
  await tab.value("document.getElementById('program-text').focus(), document.getElementById('program-text').select()");
  await tab.call("Input.insertText", { text: "10 print \"changed\"" });
  check("an edited example is one more program", [own, "10 print \"changed\""], (await stored()).slice(-2).map(({ text }) => text));
  check("it is selected", "10 print \"changed\" (orbBasic)", await tab.value("document.getElementById('program-example').selectedOptions[0].text"));
  await type(tab, " ", "basic");
  await choose("10 print \"mine\"");
  check("a program without text is not kept", [count, own], [(await stored()).length, (await stored()).at(-1).text]);
  check("the chosen one is shown", own, await tab.value("document.getElementById('program-text').value"));
  mkdirSync(folder, { recursive: true });
  const path = join(folder, "file.macro");
  writeFileSync(path, "rgb 1 2 3\n");
  await tab.setFiles("program-open", path);
  await tab.until("a file is opened in its language", "document.getElementById('program-text').value === 'rgb 1 2 3\\n' && document.querySelector('[name=language]:checked').value === 'macro'");
  await tab.until("and checked", "/^1 step/.test(document.getElementById('program-summary').textContent)");
  writeFileSync(path, "#".repeat(2_000_000));
  await tab.setFiles("program-open", path);
  await tab.until("a large file is refused", "/too large/.test(document.getElementById('notice-text').textContent)");
  await tab.value("document.getElementById('notice-close').click()");
}
