import { Agent } from "node:http";
import type { LookupFunction, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { readHost } from "../../domain/network/address-policy.ts";
import { type EgressRules, isDomainAllowed, isPortAllowed } from "../../domain/network/egress-rules.ts";
import type { UpstreamProxy } from "../../domain/network/upstream-proxy.ts";
import type { ProbeResult } from "../../ports/proxy-probe.ts";
import { Connections, keepReading, type TrafficCounter } from "./connections.ts";
import { newDialer, type Dialer, type RequestProxy, type Target } from "./dialers.ts";
import { Refusal, STATUS, domainRefused, portRefused, toRefusal } from "./refusal.ts";
import { resolveAllowed, type ResolveOptions } from "./resolve.ts";

/** A name that never resolves (RFC 6761, section 6.4). A working proxy reports the name as unreachable. */
const UNREACHABLE: Target = { host: "proxy-check.invalid", port: 443 };

/** Shorter than servers' usual keep-alive timeout (5 s), so that few requests use a connection that is closing. */
const IDLE_MS = 4_000;

type RouteOptions = {
  readonly upstream: UpstreamProxy | undefined;
  /** Options for resolving the hosts to connect to: the upstream proxy, or the sites if there is no proxy. */
  readonly resolve: Omit<ResolveOptions, "isUpstream">;
  /** The rules for sites, including sites behind a proxy. */
  readonly rules: EgressRules;
  /** Checks the addresses of sites behind the proxy. Undefined if the proxy decides which addresses are allowed. */
  readonly checkBehind: ((host: string) => Promise<void>) | undefined;
  readonly traffic: TrafficCounter;
  /** Time limit for connecting, including the handshake, and for a proxy's very first plain response. */
  readonly connectTimeoutMs: number;
  /** Time limit for a proxy's later plain responses. */
  readonly answerTimeoutMs: number;
};

/** The connections to the network through one upstream proxy, or directly. */
export class Route {
  /** Opens connections for plain requests, and keeps them for later requests. */
  readonly pooled: Agent;
  /** Opens a new connection for each plain request. */
  readonly fresh: Agent;
  readonly #options: RouteOptions;
  readonly #dialer: Dialer;
  readonly #connections: Connections;
  #hasAnswered = false;
  #verdict: Promise<ProbeResult> | undefined;

  constructor(options: RouteOptions) {
    this.#options = options;
    this.#dialer = newDialer(options.upstream);
    this.#connections = new Connections(options.traffic, options.connectTimeoutMs);
    const dial: Dial = (target, lookup) =>
      this.#connections.connect(
        { port: this.#dialer.peerOf(target).port, lookup, isForTunnel: false },
        async (socket) => keepReading(await this.#dialer.forRequests(socket, target)),
      );
    this.pooled = new DialerAgent(dial, true);
    this.fresh = new DialerAgent(dial, false);
  }

  /** The proxy for plain requests; undefined if they go directly to their target. */
  get proxy(): RequestProxy | undefined {
    return this.#dialer.proxy;
  }

  /** Time limit for the first byte of a plain response. Undefined if there is no limit. */
  get silenceMs(): number | undefined {
    const { connectTimeoutMs, answerTimeoutMs } = this.#options;
    // Once connected, a SOCKS proxy has already responded, so only the site can be slow, and sites have no time limit.
    return this.proxy && (this.#hasAnswered ? answerTimeoutMs : connectTimeoutMs);
  }

  markAnswered(): void {
    this.#hasAnswered = true;
  }

  /** Whether the proxy accepts our credentials. If so, a 401 is from the site; if not, it may be from the proxy. */
  async acceptsCredentials(): Promise<boolean> {
    this.#verdict ??= this.probe(new AbortController().signal);
    return (await this.#verdict) !== "credentials-refused";
  }

  /**
   * Resolves and checks the host to connect to in order to reach a target.
   * @returns A lookup that resolves every name to the allowed addresses.
   * @throws {Refusal} If the browser may not reach the host, or the host doesn't exist.
   */
  async resolve(target: Target): Promise<LookupFunction> {
    const { resolve, upstream, checkBehind } = this.#options;
    this.#check(target);
    try {
      await checkBehind?.(target.host);
      return await resolveAllowed(this.#dialer.peerOf(target).host, { ...resolve, isUpstream: upstream !== undefined });
    } catch (error) {
      throw this.toRefusal(error);
    }
  }

  /** @throws {Refusal} If browsers may not connect to the site or the proxy. */
  #check(target: Target): void {
    const { rules, resolve } = this.#options;
    const host = readHost(target.host);
    if (host !== undefined && !isDomainAllowed(host, rules)) throw domainRefused(target.host);
    const peer = this.#dialer.peerOf(target);
    if (!isPortAllowed(target.port, rules)) throw portRefused(target.port);
    if (!isPortAllowed(peer.port, resolve.rules)) throw portRefused(peer.port);
  }

  /** Connects to the target. The caller owns the socket. @throws {Refusal} If the connection fails. */
  async tunnel(target: Target, signal: AbortSignal): Promise<Socket> {
    const lookup = await this.resolve(target);
    const { port } = this.#dialer.peerOf(target);
    try {
      const socket = await this.#connections.connect(
        { port, lookup, isForTunnel: true },
        (peer) => this.#dialer.forTunnel(peer, target),
        signal,
      );
      this.markAnswered();
      return socket;
    } catch (error) {
      throw this.toRefusal(error);
    }
  }

  /** Requests a tunnel from the upstream proxy, as a browser does. Never rejects. */
  async probe(signal: AbortSignal): Promise<ProbeResult> {
    try {
      (await this.tunnel(UNREACHABLE, signal)).destroy();
      return "serves";
    } catch (error) {
      const status = error instanceof Refusal ? error.status : undefined;
      if (status === STATUS.targetNotReached) return "serves";
      return status === STATUS.authenticationFailed ? "credentials-refused" : "unreachable";
    }
  }

  /** Destroys all connections, including idle ones, and refuses to open new ones. */
  cut(): void {
    this.#connections.cut();
    this.pooled.destroy();
    this.fresh.destroy();
  }

  toRefusal(error: unknown): unknown {
    return toRefusal(error, this.#options.upstream !== undefined);
  }
}

type Dial = (target: Target, lookup: LookupFunction) => Promise<Socket>;

/** An agent that sends plain requests over a dialer's connections. */
class DialerAgent extends Agent {
  readonly #dial: Dial;
  readonly #isPool: boolean;

  constructor(dial: Dial, isPool: boolean) {
    // Without keep-alive, Node would close the connection after the response, even during an upload.
    super({ keepAlive: true, timeout: IDLE_MS });
    this.#dial = dial;
    this.#isPool = isPool;
  }

  override keepSocketAlive(socket: Duplex): boolean {
    return this.#isPool && Boolean(super.keepSocketAlive(socket));
  }

  override createConnection(
    ...[options, callback]: Parameters<Agent["createConnection"]>
  ): ReturnType<Agent["createConnection"]> {
    const { host, port, lookup } = options;
    if (callback === undefined || lookup === undefined) throw new Error("The host of a request was not resolved.");
    this.#dial({ host: host ?? "", port: Number(port) }, lookup).then(
      (socket) => callback(null, socket),
      (error: unknown) => callback(error as Error, undefined as never),
    );
    return undefined;
  }
}
