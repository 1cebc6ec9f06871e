import type { RenderedRefusal } from "../../../../server/test/interface.ts";
import { parse, toObject } from "../../../src/target/json.ts";
import { type Fault, type Mutant, mutant } from "../../mutant.ts";
import { onCall, pathOf, refusal } from "../../faults/alter.ts";

/** Alters the responses to rejected handshakes. */
function onHandshakeRefusal(alter: (rendered: RenderedRefusal) => Partial<RenderedRefusal>): Fault {
  return {
    gateway: (options) => ({
      ...options,
      renderRefusal(refused) {
        const rendered = options.renderRefusal(refused);
        return { ...rendered, ...alter(rendered) };
      },
    }),
  };
}

/** Replaces the failure in responses to rejected handshakes. @param instead The status of the failures to replace. */
function failingHandshake(instead: number, status: number, name: string): Fault {
  return onHandshakeRefusal((rendered) =>
    rendered.status === instead ? { status, body: JSON.stringify({ ...JSON.parse(rendered.body), status, name }) } : {},
  );
}

/** Refused handshakes. */
export const HANDSHAKE_MUTANTS: readonly Mutant[] = [
  mutant("devtools-token", ["RBS-OPEN-02", "RBS-CONNECT-01"], "A handshake requires a token", () => ({
    handshake: (head) =>
      head.includes("/devtools/") && !/^authorization: bearer /im.test(head)
        ? head.replace(/devtools\/browser\/\S+/, "devtools/browser/unknown-without-a-token")
        : head,
  })),
  mutant("devtools-unknown-401", ["RBS-CONNECT-04", "RBS-CLOSE-04"], "Handshakes for unknown browsers return 401", () =>
    failingHandshake(404, 401, "AuthorizationError"),
  ),
  mutant("devtools-unknown-not-found", ["RBS-CONNECT-04"], "Handshakes for unknown browsers fail with NotFound", () =>
    onHandshakeRefusal(({ body }) => ({ body: body.replace('"BrowserNotFound"', '"NotFound"') })),
  ),
  mutant("devtools-get-404", ["RBS-CONNECT-05"], "A plain GET of an address returns 404", () =>
    onCall((request) => (pathOf(request).startsWith("/devtools/") ? refusal("NotFound") : undefined)),
  ),
  mutant("devtools-old-version", ["RBS-CONNECT-05"], "A handshake with an old WebSocket version is accepted", () => ({
    handshake: (head) => head.replace(/^(sec-websocket-version): 8$/im, "$1: 13"),
  })),
  mutant("devtools-malformed-426", ["RBS-CONNECT-06"], "A malformed handshake returns 426", () =>
    failingHandshake(400, 426, "UpgradeRequired"),
  ),
  mutant("devtools-malformed-taken", ["RBS-CONNECT-06"], "A handshake with an invalid key is accepted", () => ({
    handshake: (head) =>
      head
        .replace(/^sec-websocket-key:.*\r\n/im, "")
        .replace("\r\n", "\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n"),
  })),
  mutant("devtools-origin-first", ["RBS-CONNECT-11"], "A handshake's Origin is checked before its form", () => ({
    handshake: (head) =>
      /^origin: .*elsewhere/im.test(head)
        ? head
            .replace(/^(sec-websocket-key): .*$/im, "$1: AAAAAAAAAAAAAAAAAAAAAA==")
            .replace(/^(sec-websocket-version): .*$/im, "$1: 13")
        : head,
  })),
  mutant("devtools-address-first", ["RBS-CONNECT-11"], "A handshake's address is checked before its Origin", () => {
    let isOpen = (_key: string): boolean => true;
    return {
      gateway(options) {
        isOpen = (key) => options.findBrowser(key) !== undefined;
        return options;
      },
      handshake(head) {
        const key = /devtools\/browser\/([\w-]+)/.exec(head)?.[1];
        return key === undefined || isOpen(key) ? head : head.replace(/^origin: .*\r\n/im, "");
      },
    };
  }),
  mutant("devtools-refusal-without-body", ["RBS-CONNECT-07"], "The response to a rejected handshake has no body", () =>
    onHandshakeRefusal(() => ({ body: "" })),
  ),
  mutant("devtools-refusal-without-id", ["RBS-CONNECT-07"], "Responses to rejected handshakes lack X-Request-Id", () =>
    onHandshakeRefusal(() => ({ headers: { "Content-Type": "application/json" } })),
  ),
  mutant("devtools-refusal-without-errors", ["RBS-CONNECT-07"], "A malformed handshake's response has no errors", () =>
    onHandshakeRefusal(({ body }) => ({ body: JSON.stringify({ ...toObject(parse(body)), errors: undefined }) })),
  ),
];
