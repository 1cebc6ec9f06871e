import { INFO } from "../pointers.ts";
import { scenarios } from "../rule.ts";
import { describe, expectSuccess, expectThat, toErrorBody } from "../../session/expect.ts";
import { Undecidable } from "../../target/violation.ts";
import type { Received } from "../../target/exchange.ts";
import { tryHandshake } from "../../target/handshake.ts";
import { expectFromService } from "../../scenario/intermediary.ts";

/** A reserved domain, so no operator can trust it. */
const FOREIGN = "https://foreign.invalid";

/** Access from web pages, and the service's host names. */
export const WEB_RULES = scenarios({ capability: "core", at: INFO }, [
  {
    id: "RBS-WEB-01",
    sentence: "responses have no CORS headers",
    async check({ main }) {
      const path = "/api/v1/Browser/Get";
      const asking = { "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization" };
      for (const Origin of [FOREIGN, "null"]) {
        const exchanges = [
          await main.raw({ method: "GET", path, headers: { Origin } }),
          await main.raw({ method: "GET", path, headers: { Origin, Authorization: "" } }),
          await main.raw({ method: "OPTIONS", path, headers: { Origin, Authorization: "", ...asking } }),
        ];
        for (const { sent, received } of exchanges) {
          const found = Object.keys(received.headers).filter((name) => name.startsWith("access-control-"));
          const expected = `no CORS headers in the response to ${sent.method} from a page at ${Origin}`;
          expectThat(found.length === 0, expected, found.join(", "));
        }
      }
    },
  },
  {
    id: "RBS-WEB-02",
    sentence: "a WebSocket handshake is refused with 403 when its `Origin` does not match its `Host`",
    check: async ({ shared }) => expectForeignRefused(await shared("headless")),
  },
  {
    id: "RBS-WEB-03",
    capability: "desktop",
    sentence: "a WebSocket handshake is refused with 403 when its `Origin` does not match its `Host`",
    async check({ main, shared }) {
      const exchange = await main.startDesktop(await shared("graphical"));
      if (exchange.received.status !== 200) {
        throw new Undecidable(`Start returned ${describe(exchange.received)}, so the rule has no desktop to test.`);
      }
      await expectForeignRefused(String(expectSuccess(exchange)["rfbUrl"]));
    },
  },
  {
    id: "RBS-WEB-04",
    sentence: "To protect against DNS rebinding, a handshake must also name a host that the service knows as its own",
    async check({ shared }) {
      const address = await shared("headless");
      await expectTaken(address);
      const { port } = new URL(address);
      for (const name of ["foreign.invalid", "localhost.foreign.invalid", "127.0.0.1.foreign.invalid"]) {
        const received = await tryHandshake(address, { Host: port === "" ? name : `${name}:${port}` });
        expectFromService(received, "a handshake to another host");
        expectForbidden(received, `a handshake to the host ${name}`);
      }
    },
  },
]);

async function expectForeignRefused(address: string): Promise<void> {
  const { host, hostname, protocol } = new URL(address);
  const scheme = protocol === "wss:" ? "https" : "http";
  const own = `${scheme}://${host}`;
  // A domain that resembles the host's name. IPv6 brackets and colons can't be part of a domain.
  const similar = `${scheme}://${hostname.replaceAll(/[[\]:]/g, "")}.foreign.invalid`;
  await expectTaken(address);
  await expectTaken(address, { Origin: own });
  for (const Origin of [FOREIGN, "null", similar]) {
    expectForbidden(await tryHandshake(address, { Origin }), `a handshake from a page at ${Origin}`);
  }
}

/** @throws {Violation} If a correct handshake is rejected. */
async function expectTaken(address: string, headers: { readonly Origin?: string } = {}): Promise<void> {
  const received = await tryHandshake(address, headers);
  const from = headers.Origin === undefined ? "without an Origin" : "from a page on the host itself";
  expectThat(received.status === 101, `a handshake ${from} to be accepted (101)`, describe(received));
}

function expectForbidden(received: Received, what: string): void {
  const isForbidden = received.status === 403 && toErrorBody(received.json).name === "Forbidden";
  expectThat(isForbidden, `${what} to be rejected with 403 Forbidden`, describe(received));
}
