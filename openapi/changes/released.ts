import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Contract } from "../scripts/contract.ts";
import { isNode, nodeAt } from "./documents.ts";

const FOLDER = join(import.meta.dirname, "..");

/** The last released contract, and the changes that have been accepted since. */
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

/** A breaking change that is accepted within a major version. */
export type Accepted = { readonly change: string; readonly reason: string };

/** @throws {Error} When the file isn't a list of changes with reasons. */
export function readAccepted(file: string): Accepted[] {
  const list: unknown = JSON.parse(readFileSync(file, "utf8"));
  if (!Array.isArray(list)) throw new Error('accepted.json must be a list of {"change": …, "reason": …}.');
  return list.map((entry: unknown) => {
    const { change, reason } = isNode(entry) ? entry : {};
    if (typeof change !== "string" || typeof reason !== "string" || reason.trim() === "") {
      throw new Error(`accepted.json: ${JSON.stringify(entry)} must contain the accepted change and the reason.`);
    }
    return { change, reason };
  });
}

/** The version of a contract, such as 1.4.0. */
export type Version = { readonly major: number; readonly minor: number; readonly patch: number };

/** @throws {Error} If the text isn't three numbers. */
export function readVersion(text: unknown): Version {
  const [, major, minor, patch] = /^(\d+)\.(\d+)\.(\d+)$/.exec(String(text)) ?? [];
  if (patch === undefined)
    throw new Error(`info.version must be three numbers such as 1.0.0, not ${JSON.stringify(text)}.`);
  return { major: Number(major), minor: Number(minor), patch: Number(patch) };
}

/** Negative if a is lower than b. */
export function compareVersions(a: Version, b: Version): number {
  return a.major - b.major || a.minor - b.minor || a.patch - b.patch;
}

export function sayVersion({ major, minor, patch }: Version): string {
  return `${major}.${minor}.${patch}`;
}
