import { expect, test } from "vitest";
import { CALLS_VERSION } from "../../../ports/cluster/worker-call-rules.ts";
import type { Frame } from "../../kit/layout.ts";
import { renderStateAlone, type ServiceState } from "./operator-view.ts";

const FRAME: Frame = { to: (path) => path, asset: (name) => name, user: undefined, isSignUpOpen: false };
const NOW = new Date("2026-11-21T10:00:00.000Z");
const STATE: Omit<ServiceState, "workers"> = {
  capacity: { limit: 4, taken: 1, warm: 0 },
  readiness: undefined,
  bounds: undefined,
  versions: { server: "1.0.0", contract: "1.1.0", node: "24.0.0" },
  open: [],
};
const REPORT = {
  version: "1.2.3",
  calls: CALLS_VERSION,
  kinds: ["chromium"],
  plans: "12345678",
  capacity: 4,
  taken: 3,
  warm: 2,
  seenAt: NOW,
} as const;

/** Returns the text of each row in a page's table of servers. */
function readRows(page: string): string[] {
  const rows =
    page
      .split("<tbody>")[1]
      ?.split("</tbody>")[0]
      ?.matchAll(/<tr[^>]*>(.*?)<\/tr>/gs) ?? [];
  return Array.from(rows, ([, row = ""]) =>
    row
      .replaceAll(/<[^>]*>/g, " ")
      .replaceAll(/\s+/g, " ")
      .trim(),
  );
}

test("servers that share a database are listed with their last report, or as not reporting", async () => {
  const workers: ServiceState["workers"] = [
    { id: "aaaaaaaa", instance: "1", wanted: "active", isAlive: true, ...REPORT },
    { id: "bbbbbbbb", instance: "1", wanted: "cordoned", isAlive: true, ...REPORT },
    { id: "cccccccc", instance: "1", wanted: "active", isAlive: false, ...REPORT },
  ];
  const rows = readRows(String(await renderStateAlone(FRAME, { ...STATE, workers })));
  expect(rows.map((row) => row.replace(/ 3 of 4 2 warm Chromium 1\.2\.3 .*/, ""))).toEqual([
    "aaaaaaaa Server Running",
    "bbbbbbbb Server Cordoned",
    "cccccccc Server Not reporting",
  ]);
  expect(rows[0]).toContain("3 of 4 2 warm Chromium 1.2.3");
});

test("front-ends are listed first, and only servers with browsers can be cordoned and drained", async () => {
  const server = { instance: "1", isAlive: true, ...REPORT } as const;
  const workers: ServiceState["workers"] = [
    { ...server, id: "aaaaaaaa", wanted: "active", role: "worker" },
    { ...server, id: "bbbbbbbb", wanted: "draining", role: "worker" },
    { ...server, id: "cccccccc", wanted: "active", role: "worker", phase: "stopping" },
    { ...server, id: "dddddddd", wanted: "cordoned", role: "worker", phase: "left", isAlive: false },
    { ...server, id: "eeeeeeee", wanted: "active", role: "front", capacity: 0, kinds: [] },
  ];
  const page = String(await renderStateAlone(FRAME, { ...STATE, workers }));
  expect(readRows(page).map((row) => row.split(" ").slice(0, 3).join(" "))).toEqual([
    "eeeeeeee Front-end Running",
    "aaaaaaaa Worker Running",
    "bbbbbbbb Worker Draining",
    "cccccccc Worker Stopping",
    "dddddddd Worker Stopped,",
  ]);
  expect(Array.from(page.matchAll(/action="\/operator\/servers\/(.*?)"/g), ([, path]) => path)).toEqual([
    "aaaaaaaa/cordon",
    "aaaaaaaa/drain",
    "bbbbbbbb/uncordon",
    "cccccccc/cordon",
    "dddddddd/uncordon",
  ]);
});

test("a worker with an incompatible release is marked", async () => {
  const server = { instance: "1", wanted: "active", role: "worker", isAlive: true, ...REPORT } as const;
  const workers = [CALLS_VERSION, CALLS_VERSION + 1, CALLS_VERSION + 2].map((calls) => ({ ...server, id: "a", calls }));
  const rows = readRows(String(await renderStateAlone(FRAME, { ...STATE, workers })));
  expect(rows.map((row) => /^a Worker (.*) 3 of 4/.exec(row)?.[1])).toEqual(["Running", "Running", "Other release"]);
});

test("running workers with the same URL cause a warning", async () => {
  const render = async (ids: readonly string[], isAlive: boolean): Promise<string> => {
    const one = { instance: "1", wanted: "active", role: "worker", url: "http://10.0.0.1/", ...REPORT } as const;
    const workers = ids.map((id) => ({ ...one, id, isAlive }));
    return String(await renderStateAlone(FRAME, { ...STATE, workers }));
  };
  expect(await render(["a", "b", "c"], true)).toContain(
    "The workers a, b and c have the same RBS_WORKER_URL, http://10",
  );
  expect(await render(["a"], true)).not.toContain("have the same RBS_WORKER_URL");
  expect(await render(["a", "b"], false)).not.toContain("have the same RBS_WORKER_URL");
});

test("a warning appears if running servers have different plans", async () => {
  const render = async (isAlive: boolean): Promise<string> => {
    const one = { id: "aaaaaaaa", instance: "1", wanted: "active", isAlive: true, ...REPORT } as const;
    const other = { ...one, id: "bbbbbbbb", isAlive, plans: "87654321" };
    return String(await renderStateAlone(FRAME, { ...STATE, workers: [one, other] }));
  };
  const page = await render(true);
  expect(page).toContain("different plans");
  expect(readRows(page)).toEqual([
    expect.stringContaining("Plans 12345678"),
    expect.stringContaining("Plans 87654321"),
  ]);
  expect(await render(false)).not.toContain("different plans");
});

test("a server that doesn't share its database lists no servers", async () => {
  expect(String(await renderStateAlone(FRAME, { ...STATE, workers: undefined }))).not.toContain("Servers");
});
