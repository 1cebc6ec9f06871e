import type { IncomingMessage } from "node:http";
import { toOurPath, withoutPrefix } from "../contract/path.ts";
import { DEVTOOLS_PATH, readWorkerId } from "../domain/browser/address.ts";
import { DESKTOP_PATH } from "../domain/browser/desktop.ts";
import type { DesktopTarget, DevtoolsTarget, WorkerTarget } from "../ports/browser-client.ts";
import type { UpgradeRefusal } from "./upgrade-refusal.ts";
import { checkHandshake, checkHost, checkOrigin, checkRequest } from "./upgrade-rules.ts";
import { isRelayed } from "./worker-upstream.ts";

export type UpgradeOptions = {
  /** Finds an open browser by the key in its address. The key is a secret. */
  findBrowser(key: string): DevtoolsTarget | undefined;
  /** Finds a started desktop by the key in its URLs. The key is a secret. */
  findDesktop(key: string): DesktopTarget | undefined;
  /** Finds another server that has made the key of a browser or desktop. The key is a secret. */
  findWorker(key: string): WorkerTarget | undefined;
  /**
   * Reads again which other servers there are: one that has just started is unknown, and may have browsers already.
   * @throws {Error} If they can't be read.
   */
  readonly refreshWorkers?: () => Promise<void>;
  /** Path of `RBS_PUBLIC_URL` without a trailing slash, or empty. A reverse proxy may remove it from the path. */
  readonly pathPrefix: string;
  /** Host of `RBS_PUBLIC_URL`, with or without a port. */
  readonly publicHost: string | undefined;
  /** `RBS_ORIGINS`, as browsers write them: `https://app.example`. */
  readonly origins: ReadonlySet<string>;
};

type LocalRoute =
  | { readonly is: "devtools"; readonly target: DevtoolsTarget }
  | { readonly is: "desktop"; readonly target: DesktopTarget };

/** What an upgrade is connected with. */
export type AcceptedRoute = LocalRoute | { readonly is: "worker"; readonly target: WorkerTarget };

type RefusedRoute = {
  readonly is: "refused";
  readonly refusal: UpgradeRefusal;
  /** Whether the key may belong to a server that isn't known yet. */
  readonly mayBeNew?: boolean;
};

/** Checks an upgrade request and finds its browser or desktop, or the worker that has it. */
export function routeUpgrade(request: IncomingMessage, options: UpgradeOptions): AcceptedRoute | RefusedRoute {
  const wrong = checkRequest(request);
  if (wrong) return refuse(wrong);
  const destination = readDestination(request.url ?? "", options.pathPrefix);
  if (destination === undefined) return refuse(NO_WEBSOCKET);
  const invalid = checkHandshake(request) ?? checkOrigin(request, options.origins);
  if (invalid) return refuse(invalid);
  const found = findTarget(destination, options);
  if (found.is === "refused") {
    // Otherwise, a worker's URL that leads back here would make each connection call itself.
    if (isRelayed(request)) return found;
    const worker = options.findWorker(destination.key);
    return worker
      ? { is: "worker", target: worker }
      : { ...found, mayBeNew: readWorkerId(destination.key) !== undefined };
  }
  const wrongHost = checkHost(request, [options.publicHost, found.target.openedHost]);
  return wrongHost ? refuse(wrongHost) : found;
}

/** What a path leads to. The key is a secret. */
type Destination = { readonly is: "devtools" | "desktop"; readonly key: string };

const PATHS = [
  { is: "devtools", pattern: new RegExp(`^${DEVTOOLS_PATH}(?<key>[^/]+)/?$`) },
  { is: "desktop", pattern: new RegExp(`^${DESKTOP_PATH}(?<key>[^/]+)/rfb/?$`) },
] as const;

/** Reads a path, with or without the deployment's path prefix. */
function readDestination(url: string, pathPrefix: string): Destination | undefined {
  const path = url.split(/[?#]/, 1)[0] ?? "";
  const ours = toOurPath(withoutPrefix(path, pathPrefix));
  for (const { is, pattern } of PATHS) {
    const key = pattern.exec(ours)?.groups?.["key"];
    if (key !== undefined) return { is, key };
  }
  return undefined;
}

/** The key of the browser or desktop that a path leads to, a secret; undefined if the path accepts no upgrades. */
export function readUpgradeKey(url: string, pathPrefix: string): string | undefined {
  return readDestination(url, pathPrefix)?.key;
}

function findTarget({ is, key }: Destination, options: UpgradeOptions): LocalRoute | RefusedRoute {
  if (is === "devtools") {
    const target = options.findBrowser(key);
    return target ? { is, target } : refuse(NO_BROWSER);
  }
  const target = options.findDesktop(key);
  return target ? { is, target } : refuse(NO_DESKTOP);
}

function refuse(refusal: UpgradeRefusal): RefusedRoute {
  return { is: "refused", refusal };
}

const NO_WEBSOCKET: UpgradeRefusal = {
  status: 404,
  name: "NotFound",
  message: "This path doesn't accept WebSocket connections.",
};

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
