import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import type { DesktopTarget } from "../../ports/browser-client.ts";
import type { Clock } from "../../ports/clock.ts";
import { type ViewerRelay, relayViewer } from "../relay/desktop-relay.ts";
import type { GatewayLimits } from "../relay/limits.ts";
import type { Upstream } from "./upstream.ts";

/** The only subprotocol for RFB over WebSocket. Older viewers require it. */
const BINARY = "binary";

/** Connects viewers to desktops: extracts RFB from WebSocket frames and relays it to the RFB server. */
export function newDesktopUpstreams(
  limits: GatewayLimits,
  clock: Pick<Clock, "after">,
): (target: DesktopTarget) => Upstream {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.maxViewerMessageBytes,
    // RFB already compresses images.
    perMessageDeflate: false,
    handleProtocols: (offered) => offered.has(BINARY) && BINARY,
  });
  const viewers = new WeakMap<DesktopTarget, Set<ViewerRelay>>();

  function countAuthenticated(target: DesktopTarget): number {
    return [...(viewers.get(target) ?? [])].filter(({ isAuthenticated }) => isAuthenticated).length;
  }

  function track(target: DesktopTarget, viewer: ViewerRelay): void {
    const all = viewers.get(target) ?? new Set();
    viewers.set(target, all.add(viewer));
    void viewer.left.then(() => all.delete(viewer));
  }

  return (target) => ({
    target,
    name: "desktop",
    hasCapacity: (others) =>
      others < limits.maxViewers && others - countAuthenticated(target) < limits.maxUnauthenticated,
    async connect(request, signal) {
      const screen = await target.connect(signal);
      // An error also closes the socket. Without a listener, the event would crash the process.
      screen.on("error", () => {});
      return (client: Socket) => {
        let viewer: ViewerRelay | undefined;
        // `handleUpgrade` calls back before it returns, unless it refuses the client itself.
        server.handleUpgrade(request, client, Buffer.alloc(0), (socket) => {
          viewer = relayViewer(socket, screen, target, limits, clock);
          track(target, viewer);
        });
        if (viewer === undefined) screen.destroy();
        else client.resume();
        return viewer;
      };
    },
  });
}
