import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../scripts/contract.ts";

export const ROOT = join(import.meta.dirname, "..");

/** Returns the bundled contract, including its links. */
export function readContract(): Contract {
  return JSON.parse(readText("generated/openapi.json")) as Contract;
}

/** Reads a file in the contract's folder. */
export function readText(file: string): string {
  return readFileSync(join(ROOT, file), "utf8");
}
