/**
 * The server's test interface: everything that `bench`, `conformance` and `clients/test` may import from the server's
 * sources, except `server/src/domain`, which they may import directly. `scripts/checks/layer-table.ts` enforces this
 * rule.
 *
 * - `openTestServer` starts a server with fake or real browsers, and with ports, services or routes replaced.
 * - `openStorage` opens a running server's database, to create accounts.
 * - `setProviderKey` stores an account's key for the language model in the database.
 * - `readConfig` reads settings as `main.ts` does.
 * - The types of services and routes, and `withOwnFleet`, are for tests that wrap services and routes.
 * - The fake screen and its VNC protocol are for testing viewers and faulty screens.
 * - The functions that start a browser are for measuring browsers without the service.
 * - PostgreSQL and its stores are for measuring a database without a server.
 */
import { type Wrappers, type OpenServer, openServer } from "../src/app/app.ts";
import { newFakePlatform } from "../src/app/compose/browser-host.ts";
import { type Ports, toPorts } from "../src/app/compose/ports.ts";
import type { Config } from "../src/config/config.ts";

import { newAuth } from "../src/app/roles/use-cases.ts";
import type { Services } from "../src/app/roles/local.ts";
import type { Storage } from "../src/app/compose/storage.ts";
import { systemClock } from "../src/adapters/node/system-clock.ts";
import type { Account } from "../src/domain/account/account.ts";
import { newLocalFleet } from "../src/services/fleet/local-fleet.ts";
import { FakeHasher } from "./fakes/fake-hasher.ts";
import { BrowserRecords } from "../src/services/records/records.ts";

export { type BrowserPlatform, chromiumPlatform, newFakePlatform } from "../src/app/compose/browser-host.ts";
export type { BrowserHost, BrowserSpec, HostedBrowser } from "../src/ports/browser-host.ts";
export { migratePostgres } from "../src/adapters/sql/postgres/migrate.ts";
export { inlineThreads } from "./fakes/inline-threads.ts";
export { openStorage } from "../src/app/compose/storage.ts";
export { type Config, readConfig } from "../src/config/config.ts";

export type { ServiceApp } from "../src/api/app.ts";
export type { Services } from "../src/app/roles/local.ts";
export type { GatewayOptions } from "../src/gateway/gateway.ts";
export type { RenderedRefusal } from "../src/gateway/upgrade/refusal.ts";
export { CHARGE_EVERY_MS } from "../src/services/records/charges.ts";
export type { LocalBrowsers } from "../src/services/browsers/local-browsers.ts";
export type { KeyedOpens } from "../src/services/admission/keyed-opens.ts";
export type { OpenCall, Owner } from "../src/ports/fleet.ts";
export type { OpenBrowser } from "../src/services/browsers/open-browser.ts";
export type { Desktop } from "../src/services/desktops/desktop.ts";
export type { Desktops } from "../src/services/desktops/desktops.ts";
export type { Query } from "../src/services/query/query.ts";

export { ByteReader } from "../src/adapters/rfb/byte-reader.ts";
export { FakeScreen } from "../src/adapters/fake-browser/fake-screen.ts";
export { OWN_FORMAT } from "../src/adapters/fake-browser/pixel-format.ts";
export { toText, toUint16, toUint32 } from "../src/adapters/rfb/rfb-bytes.ts";
export { HEIGHT, Viewing, WIDTH } from "../src/adapters/fake-browser/viewing.ts";
export { CHALLENGE_BYTES, answerChallenge } from "../src/adapters/rfb/vnc-auth.ts";

export { toArguments } from "../src/adapters/chromium/launch/command-line.ts";
export { findExecutables } from "../src/adapters/chromium/launch/executables.ts";
export { toLocale, toLocaleEnvironment } from "../src/adapters/chromium/launch/locale.ts";
export { readUserAgent } from "../src/adapters/chromium/launch/user-agent.ts";
export { writePreferences } from "../src/adapters/chromium/launch/window.ts";
export { newEgress } from "../src/adapters/egress-proxy/egress.ts";
export { NO_RULES } from "../src/domain/network/egress-rules.ts";

export type { BrowserStore, Store } from "../src/ports/store/store.ts";
export { type Postgres, program, startPostgres } from "./support/databases/postgres.ts";
export { UNLIMITED } from "./support/browsers/stored-browser.ts";
export { newPostgresStore, openTestPostgresStore } from "./support/databases/stores.ts";

/**
 * Starts a server on its own port. Its browsers are fake, and it stores passwords unhashed, unless `overrides` has
 * another platform and hasher.
 * @param overrides Ports that replace the real ones.
 */
export function openTestServer(
  config: Config,
  overrides: Partial<Ports> = {},
  wrappers: Wrappers = {},
): Promise<OpenServer> {
  return openServer(
    config,
    toPorts(config, { platform: newFakePlatform(), hasher: new FakeHasher(), ...overrides }),
    wrappers,
  );
}

/** Returns the wrapped services with a fleet and records that use them. */
export function withOwnFleet(wrapped: Services, { plans, historyDays }: Config): Services {
  const { browsers, usage } = wrapped.store;
  const fleet = newLocalFleet({ ...wrapped, store: browsers, plans, clock: systemClock });
  const records = new BrowserRecords({ fleet, store: usage, clock: systemClock, historyDays });
  return { ...wrapped, fleet, records };
}

/** Stores an account's own key for the language-model provider. */
export async function setProviderKey(
  config: Config,
  storage: Pick<Storage, "store" | "box">,
  account: Account,
  key: string,
): Promise<void> {
  await using auth = newAuth(storage, config, toPorts(config));
  await auth.providerKeys.set(account, key);
}
export { freePort } from "./support/machine/free-port.ts";
export { openReverseProxy } from "./support/proxies/reverse-proxy.ts";
export { systemClock } from "../src/adapters/node/system-clock.ts";
export { attachGateway } from "../src/gateway/gateway.ts";
export { renderUpgradeRefusal } from "../src/gateway/upgrade/refusal.ts";
export { isWebSocketUpgrade } from "../src/gateway/upgrade/upgrade-request.ts";
