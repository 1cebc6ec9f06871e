import type { MachineFacts } from "../domain/machine.ts";

/** What the server runs on. */
export interface Machine {
  /** What it has now; what can't be told counts as without a limit. */
  read(): MachineFacts;
}
