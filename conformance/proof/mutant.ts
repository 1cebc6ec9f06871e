import type { BrowserHost, GatewayOptions, Services } from "../../server/test/interface.ts";
import type { RuleId } from "../src/rules/rule.ts";

/** Handles an HTTP request as the correct server does. */
export type Next = (request: Request) => Promise<Response>;

/** One fault in a server. Each member wraps a component of the correct server. */
export type Fault = {
  /** Wraps every HTTP request except WebSocket handshakes. */
  readonly answer?: (request: Request, next: Next) => Promise<Response>;
  /** Replaces use cases. Called once, before the server listens. */
  readonly services?: (services: Services) => Services;
  /** Replaces options of the gateway that accepts WebSocket handshakes. */
  readonly gateway?: (options: Omit<GatewayOptions, "clock">) => Omit<GatewayOptions, "clock">;
  /** Replaces the host that runs the browsers. */
  readonly host?: (host: BrowserHost) => BrowserHost;
  /** Changes the head of each WebSocket handshake before the server reads it. */
  readonly handshake?: (head: string) => string;
  /** Plans that override plans in `plans.ts`. */
  readonly plans?: Readonly<Record<string, object>>;
  /** Settings (`RBS_…`) that override settings in `faulty-server.ts`. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A server's browsers. Only real browsers have pages, but fake browsers open immediately. */
export type Browsers = "fake" | "real";

/** A server with one fault, and the rules that must detect it. */
export type Mutant = {
  /** A short, unique id, such as `status-open-201`. */
  readonly id: string;
  /** A sentence that describes the faulty server. */
  readonly title: string;
  /** Rules that must all fail. */
  readonly killedBy: readonly [RuleId, ...RuleId[]];
  /** The browsers that the rules in `killedBy` run with. All other rules run with fake browsers. Default: `fake`. */
  readonly browsers?: Browsers;
  /** Creates a new fault for each server, because faults may have state. */
  readonly fault: () => Fault;
};

/**
 * Creates a mutant whose rules only require fake browsers.
 * @param killedBy The rules that must detect the mutant.
 * @param title A sentence that describes the faulty server.
 */
export function mutant(id: string, killedBy: Mutant["killedBy"], title: string, fault: () => Fault): Mutant {
  return { id, title, killedBy, fault };
}

/** Creates a mutant for rules that inspect pages and therefore require real browsers. */
export function pageMutant(...described: Parameters<typeof mutant>): Mutant {
  return { ...mutant(...described), browsers: "real" };
}

/** A fault that can't be detected from outside, or that the contract allows. */
export type Equivalent = { readonly title: string; readonly reason: string };
