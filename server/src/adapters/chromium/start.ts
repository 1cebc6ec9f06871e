import type { Sandbox, SandboxProcess } from "../../ports/sandboxes.ts";
import { probe } from "./probe.ts";

const LISTENING = /^DevTools listening on ws:\/\/[^/]+(?<path>\/devtools\/browser\/\S+)\s/m;

/**
 * Waits until a browser answers DevTools commands.
 * @param signal Aborted when nobody wants the browser any more.
 * @returns The path of its DevTools endpoint.
 * @throws {Error} When it exits or does not answer in time, with the end of its own log; `signal.reason`.
 */
export async function awaitDevtools(
  cell: Sandbox,
  process: SandboxProcess,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const over = new AbortController();
  const answer = async (): Promise<string> => {
    const { groups } = await process.log.find(LISTENING);
    // It says so some time before it answers.
    await probe((asking) => cell.connect(asking), over.signal);
    return groups?.["path"] ?? "";
  };
  try {
    return await process.whenUp(answer(), timeoutMs, signal);
  } finally {
    over.abort();
  }
}
