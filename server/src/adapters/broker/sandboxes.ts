import type { FolderOptions } from "../../broker/sandbox-folders.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Sandboxes } from "../../ports/sandboxes.ts";
import { newIsolatedSandboxes } from "./isolated-sandbox.ts";
import { newSharedSandboxes } from "./shared-sandbox.ts";

type SandboxesOptions = FolderOptions & {
  /** Whether programs run in bubblewrap; otherwise they run directly on the host. */
  readonly isIsolated: boolean;
  readonly clock: Pick<Clock, "after">;
};

/** @throws {Error} When sandboxes can't be made, or the root folder can't be used. */
export function newBrokerSandboxes({ isIsolated, clock, ...options }: SandboxesOptions): Promise<Sandboxes> {
  return isIsolated ? newIsolatedSandboxes(options, clock) : newSharedSandboxes(options, clock);
}
