import type { Act, ActName, AuditStore } from "../../ports/store/audit-store.ts";
import type { Clock } from "../../ports/clock.ts";

export type NewAct = Pick<Act, "act" | "subject"> & Partial<Pick<Act, "details">>;

/** Whether the action was performed on a server rather than an account. */
export function isOfServer(act: ActName): boolean {
  return act.startsWith("server ");
}

type AuditNeeds = {
  readonly store: AuditStore;
  readonly clock: Pick<Clock, "now">;
  /** Creates ids that sort by time. */
  readonly newId: () => string;
};

/** The audit log of operators' actions on their pages and on the command line. */
export class Audit {
  readonly #needs: AuditNeeds;

  constructor(needs: AuditNeeds) {
    this.#needs = needs;
  }

  /** @param actor The id of the operator's account, or `COMMAND_LINE`. */
  async record(actor: string, { act, subject, details = {} }: NewAct): Promise<void> {
    const { store, clock, newId } = this.#needs;
    await store.add({ id: newId(), at: clock.now(), actor, act, subject, details });
  }

  /** Lists actions, newest first. */
  list(...[wanted]: Parameters<AuditStore["list"]>): Promise<Act[]> {
    return this.#needs.store.list(wanted);
  }
}
