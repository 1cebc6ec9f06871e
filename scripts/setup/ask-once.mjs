// @ts-check
import { createInterface } from "node:readline/promises";

/**
 * @param {string} question
 * @returns {Promise<boolean>} True for "yes" or an empty line; false for anything else, and when the input ends.
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
