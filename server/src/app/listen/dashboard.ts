import { version as node } from "node:process";
import contract from "@remote-browser/contract/openapi.json" with { type: "json" };
import manifest from "../../../package.json" with { type: "json" };
import type { Context } from "hono";
import type { HttpBindings } from "@hono/node-server";
import type { Config } from "../../config/config.ts";
import { toBaseUrl, toPathPrefix } from "../../contract/path.ts";
import type { ServiceApp } from "../../api/app.ts";
import { isForwardedInClear, toClientAddress } from "../../domain/network/client-address.ts";
import { toPageHeaders } from "../../web/kit/page-context.ts";
import { newKnownCookie, newSessionCookie } from "../../web/kit/session-cookie.ts";
import { newAddressGuard } from "../../web/kit/address-guard.ts";
import { mountPages } from "../../web/dashboard/pages.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Log } from "../../ports/log.ts";
import type { ServedServices } from "../roles/role.ts";

/**
 * Adds the dashboard pages to the app.
 * @param files.assets The URL path of the pages' files, without a leading slash.
 * @param files.swaggerUi The URL path of Swagger UI's files, in the same format.
 */
export function mountDashboard(
  app: ServiceApp,
  services: ServedServices,
  config: Config,
  { assets, swaggerUi }: { readonly assets: string; readonly swaggerUi: string },
  { clock, log }: { readonly clock: Clock; readonly log: Log },
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
    cookie: newSessionCookie(publicUrl),
    knownCookie: newKnownCookie(publicUrl),
    addressGuard: newAddressGuard(publicUrl, (c: Context<{ Bindings: HttpBindings }>) =>
      isForwardedInClear(c.env.incoming.socket.remoteAddress, c.req.header("X-Forwarded-Proto"), trustedProxies),
    ),
    addressOf: (c: Context<{ Bindings: HttpBindings }>) =>
      toClientAddress(c.env.incoming.socket.remoteAddress, c.req.header("X-Forwarded-For"), trustedProxies),
    baseOf: (c) => toBaseUrl(c.req.url, publicUrl),
    now: () => clock.now(),
    clock,
    plans,
    versions: { server: manifest.version, contract: contract.info.version, node },
    swaggerUi,
    log,
  });
}
