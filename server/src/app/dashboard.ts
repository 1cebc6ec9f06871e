import { version as node } from "node:process";
import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import manifest from "../../package.json" with { type: "json" };
import type { Context } from "hono";
import type { HttpBindings } from "@hono/node-server";
import { systemClock } from "../adapters/system-clock/system-clock.ts";
import type { Config } from "../config/config.ts";
import { toBase } from "../contract/base.ts";
import { toPathPrefix } from "../contract/path.ts";
import type { ServiceApp } from "../api/service.ts";
import { newAttempts } from "../web/kit/attempts.ts";
import { isForwardedInClear, toClientAddress } from "../web/kit/client-address.ts";
import { toPageHeaders } from "../web/kit/page-context.ts";
import { sessionCookie } from "../web/kit/session-cookie.ts";
import { newAddressGuard } from "../web/kit/address-guard.ts";
import type { Log } from "../ports/log.ts";
import { mountPages } from "../web/dashboard/pages.ts";
import type { Services } from "./services.ts";

export type DashboardOptions = {
  /** Folder of the pages' files, from the root and without a slash before it. */
  readonly assets: string;
  /** The same of Swagger UI's. */
  readonly swaggerUi: string;
  readonly log: Log;
};

/** Puts the pages on the app that answers everything else as well. */
export function mountDashboard(
  app: ServiceApp,
  services: Services,
  config: Config,
  { assets, swaggerUi, log }: DashboardOptions,
): void {
  const { publicUrl, trustedProxies, plans } = config;
  mountPages(app, {
    ...services,
    ...services.auth,
    site: {
      pathPrefix: toPathPrefix(publicUrl),
      assets,
      isSignUpOpen: config.signUp === "open",
      headers: toPageHeaders(publicUrl === undefined ? [] : [publicUrl.origin]),
    },
    cookie: sessionCookie(publicUrl),
    addressGuard: newAddressGuard(publicUrl, (c: Context<{ Bindings: HttpBindings }>) =>
      isForwardedInClear(c.env.incoming.socket.remoteAddress, c.req.header("X-Forwarded-Proto"), trustedProxies),
    ),
    attempts: newAttempts(),
    addressOf: (c: Context<{ Bindings: HttpBindings }>) =>
      toClientAddress(c.env.incoming.socket.remoteAddress, c.req.header("X-Forwarded-For"), trustedProxies),
    baseOf: (c) => toBase(c.req.url, publicUrl),
    now: () => systemClock.now(),
    after: (delayMs, call) => systemClock.after(delayMs, call),
    plans,
    versions: { server: manifest.version, contract: contract.info.version, node },
    swaggerUi,
    log,
  });
}
