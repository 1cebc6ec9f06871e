import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { HttpBindings } from "@hono/node-server";
import { openStandInModel } from "../../clients/test/stand-in-model.ts";
import {
  type BrowserPlatform,
  chromiumPlatform,
  newFakePlatform,
  inlineThreads,
  openTestServer,
  readConfig,
  type ServiceApp,
  withOwnFleet,
} from "../../server/test/interface.ts";
import { makeAccounts, type Tokens } from "./accounts.ts";
import { openRelay } from "./relay.ts";
import type { Browsers, Fault } from "./mutant.ts";
import { PLANS } from "./plans.ts";

/** The reference server with at most one fault. Disposing it stops the server and removes its files. */
export type FaultyServer = AsyncDisposable & Tokens & { readonly url: URL };

const SETTINGS: Readonly<Record<Browsers, Readonly<Record<string, string>>>> = {
  // A large capacity, because fake browsers are cheap, and some mutants never close them.
  fake: { RBS_CAPACITY: "1000" },
  // Don't start any browsers other than the ones that rules open. The suite's site is on this machine.
  real: { RBS_WARM: "0", RBS_SPARE_SANDBOXES: "0", RBS_EGRESS: "any" },
};

/** @param fault The server's fault; undefined for a server without faults. */
export async function startFaultyServer(fault?: Fault, browsers: Browsers = "fake"): Promise<FaultyServer> {
  await using acquired = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), "rbs-proof-"));
  acquired.defer(() => rm(folder, { recursive: true }));
  // Real browsers run as other users, which need access to paths in the folder.
  await chmod(folder, 0o711);
  const plans = join(folder, "plans.json");
  await writeFile(plans, JSON.stringify({ ...PLANS, ...fault?.plans }));
  const model = acquired.use(await openStandInModel());
  const config = readConfig({
    RBS_PORT: "0",
    RBS_DATA_DIR: folder,
    RBS_WORK_DIR: join(folder, "work"),
    RBS_PLANS: plans,
    RBS_RATE: "150/5",
    RBS_LOG_LEVEL: "silent",
    ANTHROPIC_API_KEY: "of-the-stand-in",
    ANTHROPIC_BASE_URL: model.url,
    ...SETTINGS[browsers],
    ...fault?.settings,
  });
  const threads = fault === undefined ? {} : { threads: inlineThreads };
  const server = await openTestServer(
    config,
    { ...threads, platform: toPlatform(browsers, fault?.host) },
    {
      services: (services) => withOwnFleet(fault?.services?.(services) ?? services, config),
      routes: ({ app, gateway }) => ({
        app: fault?.answer === undefined ? app : withAnswer(app, fault.answer),
        gateway: fault?.gateway?.(gateway) ?? gateway,
      }),
    },
  );
  const { url } = acquired.use(server);
  const relay = fault?.handshake && acquired.use(await openRelay(url, fault.handshake));
  const accounts = await makeAccounts(config);
  const resources = acquired.move();
  return { url: relay?.url ?? url, ...accounts, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

function toPlatform(browsers: Browsers, toFaulty: Fault["host"]): BrowserPlatform {
  const platform = browsers === "real" ? chromiumPlatform : newFakePlatform();
  if (toFaulty === undefined) return platform;
  return { ...platform, start: async (...call) => toFaulty(await platform.start(...call)) };
}

function withAnswer(app: ServiceApp, answer: NonNullable<Fault["answer"]>): ServiceApp {
  const fetch: ServiceApp["fetch"] = (request, ...rest) =>
    answer(request, async (next) => {
      const response = await app.fetch(next, ...rest);
      // The app sets the request id on Node's response. Move it to the headers, so that a fault can see and remove it.
      const outgoing = (rest[0] as HttpBindings | undefined)?.outgoing;
      const requestId = outgoing?.getHeader("X-Request-Id");
      outgoing?.removeHeader("X-Request-Id");
      const headers = new Headers(response.headers);
      if (typeof requestId === "string") headers.set("X-Request-Id", requestId);
      return new Response(response.body, { status: response.status, headers });
    });
  return Object.assign(Object.create(app) as ServiceApp, { fetch });
}
