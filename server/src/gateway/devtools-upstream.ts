import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { openDevtools } from "./devtools.ts";
import type { Upstream } from "./upstream.ts";
import type { After, GatewayLimits } from "./limits.ts";
import { splice } from "./splice.ts";
import type { GatewayTarget } from "./target.ts";

/** To a browser's DevTools: the upgrade is repeated to it, and from its 101 on bytes are passed. */
export function devtoolsUpstream(target: GatewayTarget, limits: GatewayLimits, after: After): Upstream {
  return {
    target,
    name: "browser",
    hasRoom: (others) => others < limits.maxClients,
    async open(request: IncomingMessage, signal: AbortSignal) {
      const { answerHead, socket } = await openDevtools(target, request, limits.maxAnswerHeadBytes, signal);
      return (client: Socket) => {
        client.write(answerHead);
        const connection = splice(client, socket, limits, after);
        void connection.left.then(target.join(connection));
        return connection;
      };
    },
  };
}
