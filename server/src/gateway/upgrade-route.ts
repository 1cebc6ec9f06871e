import type { IncomingMessage } from "node:http";
import type { UpgradeRefusal } from "./refusal.ts";
import type { DesktopTarget, GatewayTarget } from "./target.ts";
import { checkHandshake, checkHost, checkOrigin, type Destination, readDestination } from "./upgrade-rules.ts";

export type UpgradeOptions = {
  /** The open browser with this id, as it stands in the browser's address. The id is a secret. */
  find(id: string): GatewayTarget | undefined;
  /** The started desktop with this id, as it stands in the desktop's URLs. The id is a secret. */
  findDesktop(id: string): DesktopTarget | undefined;
  /** Path of `RBS_PUBLIC_URL` without a slash at its end, or empty. A reverse proxy may strip it or not. */
  readonly pathPrefix: string;
  /** Host of `RBS_PUBLIC_URL`, with or without port. */
  readonly publicHost: string | undefined;
  /** `RBS_ORIGINS`, spelled as browsers do: `https://app.example`. */
  readonly origins: ReadonlySet<string>;
};

export type UpgradeRoute =
  | { readonly is: "devtools"; readonly target: GatewayTarget }
  | { readonly is: "desktop"; readonly target: DesktopTarget }
  | { readonly is: "refused"; readonly refusal: UpgradeRefusal };

/** Whether an upgrade is made, and what it leads to. */
export function routeUpgrade(request: IncomingMessage, options: UpgradeOptions): UpgradeRoute {
  const destination = readDestination(request.url ?? "", options.pathPrefix);
  if (destination === undefined) return refuse(NO_WEBSOCKET);
  const unfit = checkHandshake(request) ?? checkOrigin(request, options.origins);
  if (unfit) return refuse(unfit);
  const found = find(destination, options);
  if (found.is === "refused") return found;
  const stranger = checkHost(request, [options.publicHost, found.target.openedHost]);
  return stranger ? refuse(stranger) : found;
}

function find({ is, id }: Destination, options: UpgradeOptions): UpgradeRoute {
  if (is === "devtools") {
    const target = options.find(id);
    return target ? { is, target } : refuse(NO_BROWSER);
  }
  const target = options.findDesktop(id);
  return target ? { is, target } : refuse(NO_DESKTOP);
}

function refuse(refusal: UpgradeRefusal): UpgradeRoute {
  return { is: "refused", refusal };
}

const NO_WEBSOCKET: UpgradeRefusal = { status: 404, name: "NotFound", message: "There is no WebSocket at this path." };

const NO_BROWSER: UpgradeRefusal = {
  status: 404,
  name: "BrowserNotFound",
  message: "No open browser has this address: it may have been closed, or the address may be incomplete.",
};

const NO_DESKTOP: UpgradeRefusal = {
  status: 404,
  name: "NotFound",
  message: "No desktop is started under this address: it was stopped, or its browser has ended. Start it again.",
};
