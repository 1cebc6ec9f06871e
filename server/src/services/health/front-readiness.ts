import type { Failure } from "../../domain/failure.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { Store } from "../../ports/store/store.ts";
import { findStoreFault, type Readiness, type Verdict } from "./readiness.ts";
import type { Placement } from "../placement/placement.ts";
import type { Reachability } from "../placement/reachability.ts";

type FrontReadinessNeeds = {
  readonly store: Pick<Store, "check">;
  /** Returns why this front-end can't open browsers; undefined if it can. */
  readonly findRefusal: () => Failure | undefined;
  readonly placement: Pick<Placement, "refusal" | "isFull">;
  readonly reachability: Pick<Reachability, "fault">;
  readonly clock: Pick<Clock, "after" | "now">;
  readonly log: Log;
  /** Aborted when the server starts to shut down. */
  readonly signal: AbortSignal;
};

/**
 * Determines whether a front-end can serve calls. Readiness requires the store, and a worker that opens browsers,
 * reports and responds.
 */
export class FrontReadiness implements Pick<Readiness, "check" | "last"> {
  readonly #needs: FrontReadinessNeeds;

  constructor(needs: FrontReadinessNeeds) {
    this.#needs = needs;
  }

  get last(): Readiness["last"] {
    return { verdict: this.#judge(), at: this.#needs.clock.now() };
  }

  async check(): Promise<Verdict> {
    return (await findStoreFault(this.#needs)) ?? this.#judge();
  }

  #judge(): Verdict {
    const { findRefusal, placement, reachability, signal } = this.#needs;
    if (signal.aborted) return { status: "draining", message: "The server is shutting down." };
    const fault = (findRefusal() ?? placement.refusal)?.message ?? reachability.fault;
    if (fault !== undefined) return { status: "broken", message: fault };
    return { status: placement.isFull ? "full" : "ready" };
  }
}
