import type { Agent } from "node:http";
import type { LookupFunction, Socket } from "node:net";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { ProxyVerdict } from "../../ports/proxy-probe.ts";
import { admit, type AdmissionOptions } from "./admission.ts";
import type { Connections } from "./connections.ts";
import { type Dial, DialAgent } from "./dial-agent.ts";
import type { Exit, RequestProxy, Target } from "./exit.ts";
import { createExit } from "./exits.ts";
import { Refusal, toRefusal, UPSTREAM_AUTH_FAILED, UPSTREAM_NOT_OK } from "./refusal.ts";

/** A name that stands for nothing anywhere (RFC 6761, section 6.4): a proxy that says so has shown that it serves. */
const NOWHERE: Target = { host: "proxy-check.invalid", port: 443 };

/** What a plain request needs on its way: all of one route, so that it never mixes two. */
export type Clearance = {
  readonly target: Target;
  /** Whom the request is written to; undefined: the target itself. */
  readonly proxy: RequestProxy | undefined;
  /** Opens and keeps the connections it is written to. */
  readonly kept: Agent;
  /** Opens one for this request only. */
  readonly fresh: Agent;
  /** Answers the addresses that were admitted, whatever it is asked. */
  readonly lookup: LookupFunction;
  /** How long the answer's first byte may take; undefined: as long as it takes. */
  readonly silenceMs: number | undefined;
  /** Called when there is an answer. */
  onAnswer(): void;
  /** Whether an answer of 401 is the site's own: some proxies say so to credentials they don't take. */
  isProxyOpen(): Promise<boolean>;
  toRefusal(error: unknown): unknown;
};

export type RouteOptions = {
  readonly upstream: UpstreamProxy | undefined;
  readonly admission: Omit<AdmissionOptions, "isUpstream">;
  readonly connections: Connections;
  /** How long a proxy may keep a plain request waiting: one that has never answered anything, and any other. */
  readonly silenceMs: { readonly first: number; readonly later: number };
};

/** The way out through one upstream, with every connection that was made for it. */
export class Route {
  readonly #options: RouteOptions;
  readonly #exit: Exit;
  readonly #kept: DialAgent;
  readonly #fresh: DialAgent;
  #hasAnswered = false;
  #verdict: Promise<ProxyVerdict> | undefined;

  constructor(options: RouteOptions) {
    const exit = createExit(options.upstream);
    this.#options = options;
    this.#exit = exit;
    const dial: Dial = (target, lookup) =>
      options.connections.open({ port: exit.peerOf(target).port, lookup }, (socket) =>
        exit.forRequests(socket, target),
      );
    this.#kept = new DialAgent(dial, true);
    this.#fresh = new DialAgent(dial, false);
  }

  /**
   * Resolves and checks whom a plain request for the target has to go to.
   * @throws {Refusal} When it may not go there, or there is no such host.
   */
  async clear(target: Target): Promise<Clearance> {
    const { proxy } = this.#exit;
    const { first, later } = this.#options.silenceMs;
    return {
      target,
      proxy,
      kept: this.#kept,
      fresh: this.#fresh,
      lookup: await this.#admit(target),
      // Only a proxy's silence is told from a site's by nothing: one that speaks SOCKS has answered when it connects.
      silenceMs: proxy && (this.#hasAnswered ? later : first),
      onAnswer: () => (this.#hasAnswered = true),
      isProxyOpen: async () => {
        this.#verdict ??= this.probe(new AbortController().signal);
        return (await this.#verdict) !== "credentials-refused";
      },
      toRefusal: (error) => this.#toRefusal(error),
    };
  }

  /**
   * Connects to the target; the caller owns the socket.
   * @throws {Refusal} When that fails.
   */
  async tunnel(target: Target, signal: AbortSignal): Promise<Socket> {
    const lookup = await this.#admit(target);
    const { port } = this.#exit.peerOf(target);
    try {
      const socket = await this.#options.connections.open(
        { port, lookup },
        (peer) => this.#exit.forTunnel(peer, target),
        signal,
      );
      this.#hasAnswered = true;
      return socket;
    } catch (error) {
      throw this.#toRefusal(error);
    }
  }

  /** What the upstream proxy says when it is asked the way browsers ask. Never rejects. */
  async probe(signal: AbortSignal): Promise<ProxyVerdict> {
    try {
      (await this.tunnel(NOWHERE, signal)).destroy();
      return "serves";
    } catch (error) {
      const status = error instanceof Refusal ? error.statusCode : undefined;
      if (status === UPSTREAM_NOT_OK) return "serves";
      return status === UPSTREAM_AUTH_FAILED ? "credentials-refused" : "unreachable";
    }
  }

  /** Destroys its connections, kept ones too, and lets none be opened any more. */
  cut(): void {
    this.#options.connections.cut();
    this.#kept.destroy();
    this.#fresh.destroy();
  }

  async #admit(target: Target): Promise<LookupFunction> {
    const { admission, upstream } = this.#options;
    try {
      return await admit(this.#exit.peerOf(target).host, { ...admission, isUpstream: upstream !== undefined });
    } catch (error) {
      throw this.#toRefusal(error);
    }
  }

  #toRefusal(error: unknown): unknown {
    return toRefusal(error, this.#options.upstream !== undefined);
  }
}
