import type { Fleet } from "../../../ports/fleet.ts";
import type { Operators } from "../../../services/operators/operators.ts";
import type { Capacity } from "../../../services/capacity/capacity.ts";
import type { WantedState } from "../../../ports/cluster/server-registry.ts";
import type { Store } from "../../../ports/store/store.ts";
import type { Readiness } from "../../../services/health/readiness.ts";
import type { WarmPool } from "../../../services/warm/warm-pool.ts";
import type { Guards } from "../../kit/guards.ts";
import {
  STATE_PATH,
  type ServiceState,
  type OpenRow,
  type Overview,
  renderStateAlone,
  renderOverview,
  type Versions,
} from "./operator-view.ts";

export type OverviewNeeds = {
  readonly operators: Operators;
  readonly fleet: Pick<Fleet, "listAll">;
  readonly capacity: Pick<Capacity, "limit" | "taken">;
  readonly pool: Pick<WarmPool, "ready">;
  readonly readiness: Pick<Readiness, "last">;
  readonly bounds: ServiceState["bounds"];
  readonly plans: Overview["plans"];
  readonly versions: Versions;
  /** The servers that share the database; undefined: there is only this one. */
  readonly store: Pick<Store, "workers">;
};

const PAGE = { title: "Operator", current: "/operator", styles: ["dashboard/operator/operator.css"] };

/** The last parts of the paths of forms. */
const WANTED: ReadonlyMap<string, WantedState> = new Map([
  ["cordon", "cordoned"],
  ["drain", "draining"],
  ["uncordon", "active"],
]);

/** The state of the service, all open browsers and all accounts. Shows no content of other users' browsers. */
export function mountOperator({ operator }: Guards, needs: OverviewNeeds): void {
  const { operators, plans } = needs;

  operator.get("/operator", async (context) => {
    const { frame, c } = context;
    const [search, after] = [(c.req.query("search") ?? "").trim().slice(0, 254), c.req.query("behind")];
    const main = renderOverview(frame, {
      done: c.req.query("done"),
      service: await readState(needs),
      search,
      isFirstPage: after === undefined,
      page: await operators.page(search, after),
      plans,
    });
    return context.show({ ...PAGE, main, scripts: ["dashboard/operator/operator.js"] });
  });

  operator.get(STATE_PATH, async (context) => {
    return context.show({ ...PAGE, main: renderStateAlone(context.frame, await readState(needs)) });
  });

  operator.post("/operator/browsers/:id/close", async (context) => {
    const wasOpen = await operators.closeBrowser(context.account, context.c.req.param("id") ?? "");
    return context.goTo(`/operator?done=${wasOpen ? "closed" : "gone"}`);
  });

  operator.post("/operator/servers/:id/:state", async (context) => {
    const [id = "", name = ""] = [context.c.req.param("id"), context.c.req.param("state")];
    const state = WANTED.get(name);
    const isKnown = state !== undefined && (await operators.wantWorker(context.account, id, state));
    return context.goTo(`/operator?done=${isKnown ? name : "unknown"}`);
  });
}

async function readState({
  operators,
  fleet,
  capacity,
  pool,
  readiness,
  bounds,
  versions,
  store,
}: OverviewNeeds): Promise<ServiceState> {
  const open = await fleet.listAll();
  const emails = await operators.emails(open.map(({ accountId }) => accountId));
  return {
    capacity: { limit: capacity.limit, taken: capacity.taken, warm: pool.ready },
    readiness: readiness.last,
    bounds,
    versions,
    workers: await store.workers?.list(),
    open: open.map(({ id, accountId, kind, isHeadless, openedAt, clients, units }): OpenRow => {
      return { id, accountId, kind, isHeadless, openedAt, clients, units, email: emails.get(accountId) };
    }),
  };
}
