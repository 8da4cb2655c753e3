// Makes the calls of a client, and prints one line per call with the outcome and, if it failed, the reason.
"use strict";

const limit = 3000;

function report(outcome, name, reason = "") {
  console.log(`::${outcome}\t${name}\t${String(reason).replace(/\s+/g, " ")}`);
}

function pause(milliseconds) {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}

module.exports = function calls(terminal) {
  // Makes a call that returns a promise; `own` is the reason why the call fails with every robot.
  async function call(name, make, { check, own } = {}) {
    let failure = "";
    try {
      const late = pause(limit).then(() => Promise.reject(new Error(`no answer for ${limit} ms`)));
      late.catch(() => {});
      const answer = await Promise.race([make(), late]);
      if (check && !check(answer)) failure = `unexpected answer ${JSON.stringify(answer)}`;
    } catch (error) {
      failure = error.message;
    }
    const refusals = terminal().refusals.splice(0);
    if (!failure && refusals.length) {
      failure = "refused with " + refusals.map((status) => status.toString(16).padStart(2, "0").toUpperCase());
    }
    if (!failure) report("succeeded", name);
    else if (own) report("own", name, own);
    else report("failed", name, failure);
  }

  // Waits for an asynchronous message of the robot.
  async function expect(name, predicate, milliseconds = 5000) {
    for (let waited = 0; waited < milliseconds; waited += 10) {
      if (predicate()) return report("succeeded", name);
      await pause(10);
    }
    report("failed", name, `no message within ${milliseconds} ms`);
  }

  return { call, expect };
};
