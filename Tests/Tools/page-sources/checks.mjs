// Prints a line for each check, and sets the exit status if one fails.

let passed = 0;
const failures = [];

const text = (value) => {
  const whole = typeof value === "string" ? value : JSON.stringify(value) ?? String(value);
  return whole.length > 4000 ? `${whole.slice(0, 4000)}… (${whole.length} characters)` : whole;
};

/** Compares the actual with the expected value; if `isMet` is passed, `expected` only describes the expectation. */
export function check(name, expected, actual, isMet = text(expected) === text(actual)) {
  const line = `${isMet ? "  ok " : "FAIL "} ${name}${isMet ? "" : `\n     expected ${text(expected)}\n     actual   ${text(actual)}`}`;
  console.log(line);
  if (isMet) passed++;
  else failures.push(line);
  return isMet;
}

/** Compares two texts; a failure reports the first line that differs. */
export function checkLines(name, expected, actual) {
  const [one, other] = [expected.split("\n"), actual.split("\n")];
  const line = one.findIndex((text, index) => text !== other[index]);
  const isSame = line < 0 && one.length === other.length;
  const at = line < 0 ? one.length : line;
  return check(name, isSame ? "" : `line ${at + 1}: ${one[at] ?? "the end"}`, isSame ? "" : other[at] ?? "the end", isSame);
}

/** Runs a part of a test; an exception counts as a failed check, and does not prevent the next part. */
export async function part(title, body) {
  console.log(title);
  try {
    await body();
  } catch (error) {
    check(`${title}: completes`, "no exception", error.stack ?? String(error), false);
  }
}

/** Repeats the failed checks, prints the number of checks, and sets the exit status to 1 if a check failed. */
export function conclude(name) {
  for (const failure of failures) console.log(failure);
  console.log(`${name}: ${passed} checks passed, ${failures.length} failed`);
  if (failures.length > 0 || passed === 0) process.exitCode = 1;
}
