import type { Clock } from "../../ports/clock.ts";
import type { Rights } from "../../ports/rights.ts";
import type { Sandboxes } from "../../ports/sandboxes.ts";
import { newIsolatedSandboxes } from "./isolated-sandbox.ts";
import { type SharedOptions, newSharedSandboxes } from "./shared-sandbox.ts";

type SandboxesOptions = SharedOptions & {
  /** Whether programs run in bubblewrap; otherwise they run directly on the host. */
  readonly isIsolated: boolean;
  readonly clock: Pick<Clock, "after">;
  /** Of the broker; undefined: this process's. */
  readonly user: number | undefined;
  readonly rights: Rights;
};

/** @throws {Error} When sandboxes can't be made, or the root folder can't be used. */
export function newBrokerSandboxes({
  isIsolated,
  clock,
  user,
  rights,
  ...options
}: SandboxesOptions): Promise<Sandboxes> {
  const { programs, hasOwners } = options;
  return isIsolated
    ? newIsolatedSandboxes({ programs, hasOwners, user }, clock, rights)
    : newSharedSandboxes(options, clock);
}
