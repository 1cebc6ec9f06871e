import type { GatewayOptions } from "../../server/src/gateway/gateway.ts";
import type { Services } from "../../server/src/app/services.ts";
import type { RuleId } from "../src/registry/rule.ts";

/** Answers one HTTP request. */
export type Next = (request: Request) => Promise<Response>;

/** One thing that is wrong with a server. Every part is a wrapper around what is right. */
export type Fault = {
  /** Around every HTTP request but WebSocket handshakes. */
  readonly answer?: (request: Request, next: Next) => Promise<Response>;
  /** In place of the use cases. Made once, before the server listens. */
  readonly services?: (services: Services) => Services;
  /** In place of how WebSocket handshakes are admitted. */
  readonly gateway?: (options: Omit<GatewayOptions, "clock">) => Omit<GatewayOptions, "clock">;
  /** The head of each WebSocket handshake, as the server is to see it instead. */
  readonly handshake?: (head: string) => string;
  /** Plans that differ from those of `faulty-server.ts`. */
  readonly plans?: Readonly<Record<string, object>>;
  /** Settings (`RBS_…`) that differ. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A server with one fault, and who has to notice. */
export type Mutant = {
  /** `status-open-201`: short, and unique among all mutants. */
  readonly id: string;
  /** What is wrong, as a sentence about the server. */
  readonly title: string;
  /** Rules that each have to fail. */
  readonly killedBy: readonly [RuleId, ...RuleId[]];
  /** A new one each time: a fault may count. */
  readonly fault: () => Fault;
};

/** A fault that no suite can see from outside, or that the contract allows. */
export type Equivalent = { readonly title: string; readonly reason: string };
