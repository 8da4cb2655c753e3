// Tests the page's module in node: sessions, recordings and random input; run by Tests/Tools/page.
import { conclude, part } from "./checks.mjs";
import { aims, colors, drives, endsGame, forgetsPlace, stopsFirst } from "./controls.mjs";
import { closesWhileReconnecting, disconnects, fallsSilent, neverAnswers, reconnects } from "./links.mjs";
import { boundsMemory, survivesRandomInput, wakesUp } from "./fuzz.mjs";
import { dissectsRecordings, readsOwnRecording, rejectsOtherFiles } from "./recordings.mjs";
import { streamsAnHour } from "./stream.mjs";

const began = performance.now();
for (const [title, body] of [
  ["an hour of samples", streamsAnHour],
  ["the joystick", drives],
  ["stop", stopsFirst],
  ["the calibration ring", aims],
  ["sensors that are off", forgetsPlace],
  ["the end of the balance game", endsGame],
  ["colours, and invalid commands", colors],
  ["a lost link that is restored: to the same robot, and to a restarted robot", reconnects],
  ["a robot that never answers", neverAnswers],
  ["a robot that stops answering", fallsSilent],
  ["disconnecting", disconnects],
  ["disconnecting while the page reconnects over Bluetooth LE", closesWhileReconnecting],
  ["a recording made by the page", readsOwnRecording],
  ["the recordings of Fixtures", dissectsRecordings],
  ["files that are not recordings", rejectsOtherFiles],
  ["random input", survivesRandomInput],
  ["large input", boundsMemory],
  ["a suspended computer", wakesUp],
])
  await part(title, body);
console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`);
conclude("the module in node");
