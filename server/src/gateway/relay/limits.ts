/** Limits of the gateway. Times are in milliseconds. */
export const GATEWAY_LIMITS = {
  /** From the client's upgrade request to the upstream's answer. */
  handshakeMs: 10_000,
  /**
   * After an upstream drops its connection: how long the gateway waits for the reason before it closes the client's
   * with 1011.
   */
  endNoticeMs: 2_000,
  /** From the gateway's FIN or close frame until it disconnects a peer that doesn't close. */
  closeGraceMs: 1_000,
  /** How often the clients' send queues are checked. */
  stallCheckMs: 10_000,
  /** A client that doesn't read any of its waiting bytes for this long is treated as disconnected. */
  stallMs: 120_000,
  // 10 + 5 × 3 = 25 s. The kernel's timers can be an eighth late, and the docs promise 30 s.
  /** Idle time after which the kernel probes a client. */
  keepAliveIdleMs: 10_000,
  keepAliveIntervalMs: 3_000,
  /** Unanswered probes after which a client is treated as disconnected. */
  keepAliveProbes: 5,
  /** Clients and viewers of all browsers, connected or connecting. */
  maxAll: Infinity,
  /** Clients of one browser, connected or connecting. */
  maxClients: 128,
  /** Viewers of one desktop. The gateway sends every screen change to each of them. */
  maxViewers: 32,
  /** Viewers of one desktop that have not authenticated yet. */
  maxUnauthenticated: 8,
  /** From a viewer's connection until it has authenticated. The user may have to type the password. */
  passwordMs: 60_000,
  /** How long the answer to a wrong password is delayed. */
  wrongPasswordMs: 1_000,
  /** How often the gateway pings a viewer. */
  pingMs: 20_000,
  /** Bytes that may wait for a viewer. While more are waiting, the gateway stops reading from the screen. */
  maxBacklogBytes: 1024 * 1024,
  /** Maximum size of a message from a viewer. The longest messages contain the clipboard. */
  maxViewerMessageBytes: 1024 * 1024,
  /** Bytes read from a client before its 101; the kernel holds the rest. */
  maxEarlyBytes: 64 * 1024,
  /** The head of the browser's response to the upgrade. */
  maxResponseHeadBytes: 16 * 1024,
};

export type GatewayLimits = Readonly<typeof GATEWAY_LIMITS>;
