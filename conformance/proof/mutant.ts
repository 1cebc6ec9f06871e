import type { BrowserHost, GatewayOptions, Services } from "../../server/test/interface.ts";
import type { RuleId } from "../src/registry/rule.ts";

/** Answers an HTTP request without the fault. */
export type Next = (request: Request) => Promise<Response>;

/** One fault of a server. Each member wraps a part of the correct server. */
export type Fault = {
  /** Wraps every HTTP request except WebSocket handshakes. */
  readonly answer?: (request: Request, next: Next) => Promise<Response>;
  /** Replaces use cases. Called once, before the server listens. */
  readonly services?: (services: Services) => Services;
  /** Replaces parts of the gateway that accepts WebSocket handshakes. */
  readonly gateway?: (options: Omit<GatewayOptions, "clock">) => Omit<GatewayOptions, "clock">;
  /** Replaces what runs the browsers. */
  readonly host?: (host: BrowserHost) => BrowserHost;
  /** Changes the head of each WebSocket handshake before the server reads it. */
  readonly handshake?: (head: string) => string;
  /** Plans that differ from `plans.ts`. */
  readonly plans?: Readonly<Record<string, object>>;
  /** Settings (`RBS_…`) that replace the settings of `faulty-server.ts`. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** The browsers of a server. Only real browsers have pages, but fake browsers open immediately. */
export type Browsers = "fake" | "real";

/** A server with one fault, and the rules that must detect it. */
export type Mutant = {
  /** A short, unique id: `status-open-201`. */
  readonly id: string;
  /** Describes the fault as a sentence about the server. */
  readonly title: string;
  /** All of these rules must fail. */
  readonly killedBy: readonly [RuleId, ...RuleId[]];
  /** The browsers for the rules in `killedBy`. All other rules run with fake browsers. Default: `fake`. */
  readonly browsers?: Browsers;
  /** Makes a new fault for each server, because faults may have state. */
  readonly fault: () => Fault;
};

/**
 * Makes a mutant whose rules only need fake browsers.
 * @param killedBy The rules that must detect it.
 * @param title Describes the fault as a sentence about the server.
 */
export function mutant(id: string, killedBy: Mutant["killedBy"], title: string, fault: () => Fault): Mutant {
  return { id, title, killedBy, fault };
}

/** Makes a mutant whose rules look at pages, so that they need real browsers. */
export function pageMutant(...described: Parameters<typeof mutant>): Mutant {
  return { ...mutant(...described), browsers: "real" };
}

/** A fault that can't be detected from outside, or that the contract allows. */
export type Equivalent = { readonly title: string; readonly reason: string };
