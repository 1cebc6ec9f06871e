import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { WebSocketServer } from "ws";
import type { Upstream } from "./upstream.ts";
import type { After, GatewayLimits } from "./limits.ts";
import type { DesktopTarget } from "./target.ts";
import { type Viewer, connectViewer } from "./viewer.ts";

/** The one subprotocol that RFB over WebSocket has had; older viewers insist on it. */
const BINARY = "binary";

/** To the screens of browsers: what viewers say in frames is spoken to an RFB server in bytes. */
export function desktopUpstreams(limits: GatewayLimits, after: After): (target: DesktopTarget) => Upstream {
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.maxViewerMessageBytes,
    // Pictures are compressed already.
    perMessageDeflate: false,
    handleProtocols: (offered) => offered.has(BINARY) && BINARY,
  });
  const viewers = new WeakMap<DesktopTarget, Set<Viewer>>();

  function countEntered(target: DesktopTarget): number {
    return [...(viewers.get(target) ?? [])].filter(({ hasEntered }) => hasEntered).length;
  }

  function note(target: DesktopTarget, viewer: Viewer): void {
    const all = viewers.get(target) ?? new Set();
    viewers.set(target, all.add(viewer));
    void viewer.left.then(() => all.delete(viewer));
  }

  return (target) => ({
    target,
    name: "desktop",
    hasRoom: (others) => others < limits.maxViewers && others - countEntered(target) < limits.maxUnauthenticated,
    async open(request: IncomingMessage, signal: AbortSignal) {
      const screen = await target.connect(signal);
      // Failures are seen as closing; without a listener they would end the process.
      screen.on("error", () => {});
      return (client: Socket) => {
        let viewer: Viewer | undefined;
        // Calls back before it returns, or has refused the handshake by itself.
        server.handleUpgrade(request, client, Buffer.alloc(0), (socket) => {
          viewer = connectViewer(socket, screen, target, limits, after);
          note(target, viewer);
        });
        if (viewer === undefined) screen.destroy();
        else client.resume();
        return viewer;
      };
    },
  });
}
