import type { IncomingMessage } from "node:http";
import { readWorkerId } from "../../domain/browser/address.ts";
import { isKnownHost, isOwnOrigin } from "../../domain/network/known-host.ts";
import type { DesktopTarget, DevtoolsTarget, WorkerTarget } from "../../ports/browser-client.ts";
import { type Refused, refuse, type UpgradeRefusal } from "./refusal.ts";
import { type Destination, readUpgrade } from "./upgrade-request.ts";

export type UpgradeOptions = {
  /** Finds an open browser by the key in its address. The key is a secret. */
  findBrowser(key: string): DevtoolsTarget | undefined;
  /** Finds a started desktop by the key in its URLs. The key is a secret. */
  findDesktop(key: string): DesktopTarget | undefined;
  /** Finds the other server that created the key of a browser or desktop. The key is a secret. */
  findWorker(key: string): WorkerTarget | undefined;
  /**
   * Reloads the list of other servers. A server that just started isn't listed yet, but may already have browsers.
   * @throws {Error} If the list can't be read.
   */
  readonly refreshWorkers?: () => Promise<void>;
  /** The path of `RBS_PUBLIC_URL` without a trailing slash, or empty. A reverse proxy may strip it from requests. */
  readonly pathPrefix: string;
  /** The host of `RBS_PUBLIC_URL`, with or without a port. */
  readonly publicHost: string | undefined;
  /** `RBS_ORIGINS`, as browsers write them: `https://app.example`. */
  readonly origins: ReadonlySet<string>;
};

type LocalRoute =
  | { readonly is: "devtools"; readonly target: DevtoolsTarget }
  | { readonly is: "desktop"; readonly target: DesktopTarget };

/** The target of an accepted upgrade. */
export type AcceptedRoute = LocalRoute | { readonly is: "worker"; readonly target: WorkerTarget };

/** `mayBeNew`: whether the key may belong to a server that this server doesn't know yet. */
export type Route = AcceptedRoute | (Refused & { readonly mayBeNew?: boolean });

/** The `Via` value (RFC 9110, section 7.6.3) that a front-end adds to forwarded upgrades. */
export const VIA = "1.1 remote-browser-service";

/** Reads an upgrade request and finds its target: a browser or desktop, or the worker that runs it. */
export function routeUpgrade(request: IncomingMessage, options: UpgradeOptions): Route {
  const { publicHost, pathPrefix, origins } = options;
  const asked = readUpgrade(request, pathPrefix);
  if (asked.is === "refused") return asked;
  const { origin, host = "", via } = request.headers;
  // Without this check, pages on other sites could reach this server through a user's web browser.
  if (origin !== undefined && !origins.has(origin) && !isOwnOrigin(origin, host)) return refuse(toForeign(origin));
  const found = findLocal(asked, options);
  if (found !== undefined) {
    const isKnown = isKnownHost(host, [publicHost, found.target.openedHost]);
    return isKnown ? found : refuse(toUnknownHost(host));
  }
  const missing = refuse(asked.is === "devtools" ? NO_BROWSER : NO_DESKTOP);
  // Without this check, a worker's URL that points back to this server would cause an endless loop.
  if (via?.includes(VIA) === true) return missing;
  const target = options.findWorker(asked.key);
  return target ? { is: "worker", target } : { ...missing, mayBeNew: readWorkerId(asked.key) !== undefined };
}

function findLocal({ is, key }: Destination, options: UpgradeOptions): LocalRoute | undefined {
  if (is === "devtools") {
    const target = options.findBrowser(key);
    return target && { is, target };
  }
  const target = options.findDesktop(key);
  return target && { is, target };
}

function toForeign(origin: string): UpgradeRefusal {
  return forbidden(
    `Pages of ${JSON.stringify(origin)} may not connect here; the operator can allow them in RBS_ORIGINS.`,
  );
}

function toUnknownHost(host: string): UpgradeRefusal {
  return forbidden(
    `This server doesn't recognize the host ${JSON.stringify(host)}: connect to the address exactly as Open returned it, or ask the operator to set RBS_PUBLIC_URL.`,
  );
}

function forbidden(message: string): UpgradeRefusal {
  return { status: 403, name: "Forbidden", message };
}

const NO_BROWSER: UpgradeRefusal = {
  status: 404,
  name: "BrowserNotFound",
  message: "No open browser has this address. The browser may have closed, or the address may be incomplete.",
};

const NO_DESKTOP: UpgradeRefusal = {
  status: 404,
  name: "NotFound",
  message: "No started desktop has this address. The desktop was stopped, or its browser has closed. Start it again.",
};
