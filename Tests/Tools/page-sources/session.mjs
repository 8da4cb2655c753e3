// Holds the module against what is expected of a session, of recordings and of nonsense; run by Tests/Tools/page.
import { conclude, part } from "./checks.mjs";
import { aims, colors, drives, stopsFirst } from "./hands.mjs";
import { comesBack, fallsSilent, leaves, neverAnswers } from "./links.mjs";
import { doesNotGrow, survivesNonsense, wakesUp } from "./nonsense.mjs";
import { dissectsRecordings, looksAtWhatItRecorded, rejectsOthers } from "./recordings.mjs";
import { streamsAnHour } from "./stream.mjs";

const began = performance.now();
for (const [title, body] of [
  ["an hour of samples", streamsAnHour],
  ["the joystick", drives],
  ["stop", stopsFirst],
  ["the calibration ring", aims],
  ["colours, and words that cannot be followed", colors],
  ["a link that is lost and comes back: the same robot, and one that was off", comesBack],
  ["a robot that never answers", neverAnswers],
  ["a robot that falls silent", fallsSilent],
  ["leaving", leaves],
  ["a recording of its own", looksAtWhatItRecorded],
  ["the recordings of Fixtures", dissectsRecordings],
  ["files that are no recordings", rejectsOthers],
  ["nonsense", survivesNonsense],
  ["much of it", doesNotGrow],
  ["a long sleep", wakesUp],
])
  await part(title, body);
console.log(`${((performance.now() - began) / 1000).toFixed(1)} s`);
conclude("the module in node");
