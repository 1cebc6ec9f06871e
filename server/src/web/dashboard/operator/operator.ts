import type { WantedState } from "../../../ports/cluster/server-registry.ts";
import type { Guards } from "../../kit/guards.ts";
import type { PageServices } from "../../kit/page-services.ts";
import { STATE_PATH, type ServiceState, renderStateAlone, renderOverview } from "./operator-view.ts";

const PAGE = { title: "Operator", current: "/operator", styles: ["dashboard/operator/operator.css"] };

/** Server states by the last path segment of the forms that set them. */
const WANTED: ReadonlyMap<string, WantedState> = new Map([
  ["cordon", "cordoned"],
  ["drain", "draining"],
  ["uncordon", "active"],
]);

/** Mounts the pages for the service's state, open browsers and accounts, without the content of users' browsers. */
export function mountOperator({ operator }: Guards, services: PageServices): void {
  const { operators, plans } = services;

  operator.get("/operator", async (context) => {
    const { frame, c } = context;
    const [search, after] = [(c.req.query("search") ?? "").trim().slice(0, 254), c.req.query("behind")];
    const main = renderOverview(frame, {
      done: c.req.query("done"),
      service: await readState(services),
      search,
      isFirstPage: after === undefined,
      page: await operators.page(search, after),
      plans,
    });
    return context.show({ ...PAGE, main, scripts: ["dashboard/operator/operator.js"] });
  });

  operator.get(STATE_PATH, async (context) => {
    return context.show({ ...PAGE, main: renderStateAlone(context.frame, await readState(services)) });
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

async function readState(services: PageServices): Promise<ServiceState> {
  const { operators, capacity, bounds, versions } = services;
  const open = await services.fleet.listAll();
  const emails = await operators.emails(open.map(({ accountId }) => accountId));
  return {
    capacity: { limit: capacity.limit, taken: capacity.taken, warm: services.pool.ready },
    readiness: services.readiness.last,
    bounds,
    versions,
    workers: await services.store.workers?.list(),
    open: open.map((browser) => ({ ...browser, email: emails.get(browser.accountId) })),
  };
}
