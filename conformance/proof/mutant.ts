import type { GatewayOptions, Services } from "../../server/test/interface.ts";
import type { RuleId } from "../src/registry/rule.ts";

/** Answers one HTTP request without the fault. */
export type Next = (request: Request) => Promise<Response>;

/** One thing that is wrong with a server. Each part wraps a correct one. */
export type Fault = {
  /** Wraps every HTTP request except WebSocket handshakes. */
  readonly answer?: (request: Request, next: Next) => Promise<Response>;
  /** Wraps the services, once, before the server listens. */
  readonly services?: (services: Services) => Services;
  /** Wraps how the gateway admits WebSocket handshakes. */
  readonly gateway?: (options: Omit<GatewayOptions, "after">) => Omit<GatewayOptions, "after">;
  /** Changes the head of each WebSocket handshake before the server reads it. */
  readonly handshake?: (head: string) => string;
  /** Plans that replace those of `plans.ts`. */
  readonly plans?: Readonly<Record<string, object>>;
  /** Settings (`RBS_…`) that replace those of `faulty-server.ts`. */
  readonly settings?: Readonly<Record<string, string>>;
};

/** A server with one fault, and the rules that have to find it. */
export type Mutant = {
  /** `status-open-201`: short, and unique among all mutants. */
  readonly id: string;
  /** The fault, as a sentence about the server. */
  readonly title: string;
  /** Each of these rules has to fail. */
  readonly killedBy: readonly [RuleId, ...RuleId[]];
  /** Creates a new fault each time, because a fault may have state. */
  readonly fault: () => Fault;
};

/** A fault that a suite can't see from outside, or that the contract allows. */
export type Equivalent = { readonly title: string; readonly reason: string };
