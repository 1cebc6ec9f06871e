import { NONE, type Tally, add } from "../../../scripts/tally/tally.ts";

/** What is no markup, whatever it looks like: a test's own output, for one. */
const NO_MARKUP = /<!\[CDATA\[.*?\]\]>|<!--.*?-->/gs;
/** A test, with what stands in it; a quoted attribute may hold a `>`. */
const TEST_CASE = /<testcase\b(?:[^>"']|"[^"]*"|'[^']*')*?(?:\/>|>(.*?)<\/testcase>)/gs;

/** Counts the tests of a JUnit report, as pytest, Surefire and Failsafe write them. */
export function countJunit(xml: string): Tally {
  const inside = [...xml.replaceAll(NO_MARKUP, "").matchAll(TEST_CASE)].map(([, text = ""]) => text);
  return inside.map(tallyOf).reduce(add, NONE);
}

function tallyOf(inside: string): Tally {
  if (/<(failure|error)\b/.test(inside)) return { ...NONE, failed: 1 };
  return /<skipped\b/.test(inside) ? { ...NONE, skipped: 1 } : { ...NONE, passed: 1 };
}
