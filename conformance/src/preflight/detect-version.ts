import { operations } from "@remote-browser/contract/operations";
import { type ContractVersion, NEWEST_VERSION, toVersion } from "../contract/versions.ts";
import { toErrorBody } from "../session/expect.ts";
import type { RunOptions } from "../session/run-options.ts";
import { parse, toObject } from "../target/json.ts";

const ANSWER_MS = 30_000;
const CONTRACT_PATH = "/openapi.json";

/**
 * Detects a deployment's contract version from its `/openapi.json`, or else by calling an operation that version 1.0
 * doesn't have.
 * @returns The contract version, or the newest version if the deployment is unreachable (the preflight reports this).
 */
export async function detectVersion({
  baseUrl,
  token,
}: Pick<RunOptions, "baseUrl" | "token">): Promise<ContractVersion> {
  const ask = async (path: string): Promise<unknown> => {
    const headers = { Authorization: `Bearer ${token}` };
    const init = { headers, redirect: "manual", signal: AbortSignal.timeout(ANSWER_MS) } as const;
    const response = await fetch(`${baseUrl.replace(/\/$/, "")}${path}`, init).catch(() => undefined);
    return parse((await response?.text().catch(() => "")) ?? "");
  };
  const served = toObject(toObject(await ask(CONTRACT_PATH))["info"])["version"];
  const version = typeof served === "string" ? toVersion(served) : undefined;
  if (version !== undefined) return version;
  const { name } = toErrorBody(await ask(operations.getAccount.path));
  return name === "NotFound" ? "1.0" : NEWEST_VERSION;
}
