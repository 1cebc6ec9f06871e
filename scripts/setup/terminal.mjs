// @ts-check
import { createInterface } from "node:readline/promises";

/** Prints the set-up's progress, one line for each step. */
export class Say {
  /** @param {NodeJS.WritableStream} out */
  constructor(out) {
    this.out = out;
  }

  /** @param {string} text */
  line(text) {
    this.out.write(`${text}\n`);
  }

  /** @param {readonly { name: string, why: string }[]} things */
  list(things) {
    const width = Math.max(...things.map(({ name }) => name.length));
    for (const { name, why } of things) this.line(`  ${name.padEnd(width)}  ${why}`);
  }

  /**
   * Runs a step and prints its name, its duration and, if it fails, the tool's output.
   * @param {string} name
   * @param {() => Promise<import("./programs.mjs").Outcome>} run
   * @returns {Promise<boolean>} Whether the step succeeded.
   */
  async step(name, run) {
    const startedMs = performance.now();
    this.out.write(`${name} … `);
    const { isOk, output } = await run();
    this.line(`${isOk ? "installed" : "failed"} (${seconds(performance.now() - startedMs)})`);
    if (!isOk) this.line(middleCut(output.trim().split("\n")).replaceAll(/^/gm, "  | "));
    return isOk;
  }
}

/**
 * Omits the middle of a tool's output. Errors are at the beginning or at the end of the output, because npm prints its
 * usage text after some errors.
 * @param {readonly string[]} lines
 */
function middleCut(lines) {
  const kept = 12;
  const shown = lines.length > 2 * kept ? [...lines.slice(0, kept), "…", ...lines.slice(-kept)] : lines;
  return shown.join("\n");
}

/** Formats a duration, with one decimal below ten seconds. @param {number} ms */
export function seconds(ms) {
  return ms < 9950 ? `${(ms / 1000).toFixed(1)} s` : `${Math.round(ms / 1000)} s`;
}

/**
 * @param {string} question
 * @returns {Promise<boolean>} True for "yes" or an empty line; false for anything else, including the end of the input.
 */
export async function askOnce(question) {
  const lines = createInterface({ input: process.stdin, output: process.stdout });
  const ended = new Promise((resolve) => lines.once("close", () => resolve("no")));
  try {
    const answer = await Promise.race([lines.question(question), ended]);
    return /^(y|yes|)$/i.test(String(answer).trim());
  } finally {
    lines.close();
  }
}
