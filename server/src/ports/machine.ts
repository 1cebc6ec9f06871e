import type { MachineFacts } from "../domain/browser/machine.ts";

/** What the server runs on. */
export interface Machine {
  /** What it has now; what can't be told counts as without a limit. */
  read(): MachineFacts;
}
