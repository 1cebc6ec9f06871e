import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../scripts/contract.ts";
import { nodeAt } from "./documents.ts";
import { readVersion, type Version } from "./version.ts";

const FOLDER = join(import.meta.dirname, "..");

/** The last released contract, and the changes that were accepted since. */
export const RELEASED = join(FOLDER, "released/openapi.json");
export const ACCEPTED = join(FOLDER, "released/accepted.json");
/** The present contract. */
export const PRESENT = join(FOLDER, "generated/openapi.json");

export function readContractFile(file: string): Contract {
  return JSON.parse(readFileSync(file, "utf8")) as Contract;
}

/** @throws {Error} When `info.version` is not three numbers. */
export function versionOf(contract: Contract): Version {
  return readVersion(nodeAt(contract, "info")["version"]);
}
