// Prints a line for each thing that is checked, and remembers whether one was otherwise than expected.

let [passed, failed] = [0, 0];

const text = (value) => {
  const whole = typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  return whole.length > 400 ? `${whole.slice(0, 400)}… (${whole.length} characters)` : whole;
};

/** Says whether what is seen is what was expected; `expected` is a value, or a sentence where `holds` says it. */
export function check(what, expected, seen, holds = text(expected) === text(seen)) {
  console.log(`${holds ? "  ok " : "FAIL "} ${what}${holds ? "" : `\n     expected ${text(expected)}\n     saw      ${text(seen)}`}`);
  if (holds) passed++;
  else failed++;
  return holds;
}

/** Two texts are the same; where they are not, the first line that differs is told. */
export function checkLines(what, expected, seen) {
  const [one, other] = [expected.split("\n"), seen.split("\n")];
  const line = one.findIndex((text, index) => text !== other[index]);
  const isSame = line < 0 && one.length === other.length;
  const at = line < 0 ? one.length : line;
  return check(what, isSame ? "" : `line ${at + 1}: ${one[at] ?? "the end"}`, isSame ? "" : other[at] ?? "the end", isSame);
}

/** Runs a part; what it throws is a failure like any other, and the next part runs all the same. */
export async function part(title, body) {
  console.log(title);
  try {
    await body();
  } catch (error) {
    check("goes through", "no exception", error.stack ?? String(error), false);
  }
}

/** Prints the sum, and lets the process end with 1 where something failed. */
export function conclude(name) {
  console.log(`${name}: ${passed} checks as expected, ${failed} otherwise`);
  if (failed > 0 || passed === 0) process.exitCode = 1;
}
