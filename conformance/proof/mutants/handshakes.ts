import type { GatewayOptions } from "../../../server/test/interface.ts";
import type { RenderedRefusal } from "../../../server/test/interface.ts";
import type { Fault, Mutant } from "../mutant.ts";
import { onCall, pathOf, refusal } from "./alter.ts";

type Options = Omit<GatewayOptions, "clock">;

const onGateway = (change: (options: Options) => Partial<Options>): Fault => ({
  gateway: (options) => ({ ...options, ...change(options) }),
});

function onHandshakeRefusal(alter: (rendered: RenderedRefusal) => Partial<RenderedRefusal>): Fault {
  return onGateway(({ renderRefusal }) => ({
    renderRefusal(refused) {
      const rendered = renderRefusal(refused);
      return { ...rendered, ...alter(rendered) };
    },
  }));
}

/** Refused handshakes. */
export const HANDSHAKE_MUTANTS: readonly Mutant[] = [
  {
    id: "devtools-token",
    title: "A handshake requires a token",
    killedBy: ["RBS-OPEN-02", "RBS-CONNECT-01"],
    fault: () => ({
      handshake: (head) =>
        head.includes("/devtools/") && !/^authorization: bearer /im.test(head)
          ? head.replace(/devtools\/browser\/\S+/, "devtools/browser/unknown-without-a-token")
          : head,
    }),
  },
  {
    id: "devtools-unknown-401",
    title: "A handshake for an unknown browser answers 401",
    killedBy: ["RBS-CONNECT-04", "RBS-CLOSE-04"],
    fault: () =>
      onHandshakeRefusal(({ status, body }) =>
        status === 404
          ? { status: 401, body: JSON.stringify({ ...JSON.parse(body), status: 401, name: "AuthorizationError" }) }
          : {},
      ),
  },
  {
    id: "devtools-unknown-not-found",
    title: "A handshake for an unknown browser answers like an unknown path",
    killedBy: ["RBS-CONNECT-04"],
    fault: () => onHandshakeRefusal(({ body }) => ({ body: body.replace('"BrowserNotFound"', '"NotFound"') })),
  },
  {
    id: "devtools-get-404",
    title: "A plain GET of an address answers 404",
    killedBy: ["RBS-CONNECT-05"],
    fault: () => onCall((request) => (pathOf(request).startsWith("/devtools/") ? refusal("NotFound") : undefined)),
  },
  {
    id: "devtools-old-version",
    title: "A handshake of another WebSocket version is accepted",
    killedBy: ["RBS-CONNECT-05"],
    fault: () => ({ handshake: (head) => head.replace(/^(sec-websocket-version): 8$/im, "$1: 13") }),
  },
  {
    id: "devtools-malformed-426",
    title: "A malformed handshake answers 426",
    killedBy: ["RBS-CONNECT-06"],
    fault: () =>
      onHandshakeRefusal(({ status, body }) =>
        status === 400
          ? { status: 426, body: JSON.stringify({ ...JSON.parse(body), status: 426, name: "UpgradeRequired" }) }
          : {},
      ),
  },
  {
    id: "devtools-malformed-taken",
    title: "A handshake with an invalid key is accepted",
    killedBy: ["RBS-CONNECT-06"],
    fault: () => ({
      handshake: (head) =>
        head
          .replace(/^sec-websocket-key:.*\r\n/im, "")
          .replace("\r\n", "\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"),
    }),
  },
  {
    id: "devtools-refusal-without-body",
    title: "A refused handshake has no body",
    killedBy: ["RBS-CONNECT-07"],
    fault: () => onHandshakeRefusal(() => ({ body: "" })),
  },
  {
    id: "devtools-refusal-without-id",
    title: "A refused handshake has no X-Request-Id",
    killedBy: ["RBS-CONNECT-07"],
    fault: () => onHandshakeRefusal(() => ({ headers: { "Content-Type": "application/json" } })),
  },
];
