/** Limits of the gateway. Times are in milliseconds. */
export type GatewayLimits = {
  /** From the client's upgrade request to the upstream's answer. */
  readonly handshakeMs: number;
  /**
   * After an upstream drops its connection: how long the gateway waits for the reason before it closes the client's
   * with 1011.
   */
  readonly endNoticeMs: number;
  /** From the gateway's FIN or close frame until it disconnects a peer that doesn't close. */
  readonly closeGraceMs: number;
  /** How often the clients' send queues are checked. */
  readonly stallCheckMs: number;
  /** A client that doesn't read any of its waiting bytes for this long is treated as disconnected. */
  readonly stallMs: number;
  /** Idle time after which the kernel probes a client. */
  readonly keepAliveIdleMs: number;
  readonly keepAliveIntervalMs: number;
  /** Unanswered probes after which a client is treated as disconnected. */
  readonly keepAliveProbes: number;
  /** Clients and viewers of all browsers, connected or connecting. */
  readonly maxAll: number;
  /** Clients of one browser, connected or connecting. */
  readonly maxClients: number;
  /** Viewers of one desktop. The gateway sends every screen change to each of them. */
  readonly maxViewers: number;
  /** Viewers of one desktop that have not authenticated yet. */
  readonly maxUnauthenticated: number;
  /** From a viewer's connection until it has authenticated. The user may have to type the password. */
  readonly passwordMs: number;
  /** How long the answer to a wrong password is delayed. */
  readonly wrongPasswordMs: number;
  /** How often the gateway pings a viewer. */
  readonly pingMs: number;
  /** Bytes that may wait for a viewer. While more are waiting, the gateway stops reading from the screen. */
  readonly maxBacklogBytes: number;
  /** Maximum size of a message from a viewer. The longest messages contain the clipboard. */
  readonly maxViewerMessageBytes: number;
  /** Bytes read from a client before its 101; the kernel holds the rest. */
  readonly maxEarlyBytes: number;
  /** The head of the browser's response to the upgrade. */
  readonly maxResponseHeadBytes: number;
};

export const GATEWAY_LIMITS: GatewayLimits = {
  handshakeMs: 10_000,
  endNoticeMs: 2_000,
  closeGraceMs: 1_000,
  stallCheckMs: 10_000,
  stallMs: 120_000,
  // 10 + 5 × 3 = 25 s. The kernel's timers can be an eighth late, and the docs promise 30 s.
  keepAliveIdleMs: 10_000,
  keepAliveIntervalMs: 3_000,
  keepAliveProbes: 5,
  maxAll: Infinity,
  maxClients: 128,
  maxViewers: 32,
  maxUnauthenticated: 8,
  passwordMs: 60_000,
  wrongPasswordMs: 1_000,
  pingMs: 20_000,
  maxBacklogBytes: 1024 * 1024,
  maxViewerMessageBytes: 1024 * 1024,
  maxEarlyBytes: 64 * 1024,
  maxResponseHeadBytes: 16 * 1024,
};
