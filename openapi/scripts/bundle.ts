import { mkdtempDisposable, readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Contract } from "./contract.ts";
import { redocly } from "./redocly.ts";

/**
 * Bundles the hand-written contract into one document.
 * @throws {Error} With Redocly's output, if the contract can't be bundled.
 */
export async function bundle(): Promise<Contract> {
  await using folder = await mkdtempDisposable(join(tmpdir(), "contract-"));
  const file = join(folder.path, "openapi.json");
  const { ok, stderr } = await redocly("bundle", "openapi.yaml", "--output", file);
  if (!ok) throw new Error(`The contract can't be bundled:\n${stderr}`);
  return JSON.parse(await readFile(file, "utf8")) as Contract;
}
