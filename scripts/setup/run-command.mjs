// @ts-check
import { spawn } from "node:child_process";

/**
 * @typedef {object} Outcome
 * @property {boolean} isOk Whether it exited with 0.
 * @property {string} output Its stdout and stderr, in the order of arrival.
 */

/**
 * Runs a program until it exits. Never rejects: a program that can't be started counts as failed, with the reason as
 * output.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {import("node:child_process").SpawnOptions} [options] `stdio` is overridden: stdin is inherited, so that sudo
 * can ask for a password.
 * @returns {Promise<Outcome>}
 */
export function runCommand(program, args, options = {}) {
  return new Promise((resolve) => {
    const child = spawn(program, args, { ...options, stdio: ["inherit", "pipe", "pipe"] });
    let output = "";
    const collect = (/** @type {Buffer} */ chunk) => {
      output += chunk.toString("utf8");
    };
    child.stdout?.on("data", collect);
    child.stderr?.on("data", collect);
    child.on("error", (error) => resolve({ isOk: false, output: `${error.message}\n` }));
    child.on("close", (code) => resolve({ isOk: code === 0, output }));
  });
}
