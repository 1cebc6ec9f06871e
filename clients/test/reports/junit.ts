import { NONE, type Tally, add } from "../../../scripts/tally/tally.ts";

/** Comments, and CDATA sections, which can contain a test's output. */
const NO_MARKUP = /<!\[CDATA\[.*?\]\]>|<!--.*?-->/gs;
/** A test case with its children. Quoted attributes may contain `>`. */
const TEST_CASE = /<testcase\b(?:[^>"']|"[^"]*"|'[^']*')*?(?:\/>|>(.*?)<\/testcase>)/gs;

/** Counts the tests in a JUnit report of pytest, Surefire or Failsafe. */
export function countJunit(xml: string): Tally {
  const inside = [...xml.replaceAll(NO_MARKUP, "").matchAll(TEST_CASE)].map(([, text = ""]) => text);
  return inside.map(tallyOf).reduce(add, NONE);
}

function tallyOf(inside: string): Tally {
  if (/<(failure|error)\b/.test(inside)) return { ...NONE, failed: 1 };
  return /<skipped\b/.test(inside) ? { ...NONE, skipped: 1 } : { ...NONE, passed: 1 };
}
