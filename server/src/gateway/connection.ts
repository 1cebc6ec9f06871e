import type { GatewayClient } from "./target.ts";

/** A client connected with what it came for. */
export interface Connection extends GatewayClient {
  /** Ends the client's side at once, without a word: for peers that don't listen any more. */
  cut(): void;
  /** Resolves when the client uses the browser no longer; never rejects. */
  readonly left: Promise<void>;
  /** Resolves when both sides are closed, after `left`; never rejects. */
  readonly closed: Promise<void>;
}
