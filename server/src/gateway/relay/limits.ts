/** Limits of the gateway. Times are in milliseconds. */
export const GATEWAY_LIMITS = {
  /** From the client's upgrade request to the upstream's response. */
  handshakeMs: 10_000,
  /** After an upstream drops its connection: time to wait for the reason, before the client is closed with 1011. */
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
  /** Connected or connecting clients and viewers of all browsers. */
  maxAll: Infinity,
  /** Connected or connecting clients of a browser. */
  maxClients: 128,
  /** Viewers of a desktop. The gateway sends every screen change to each of them. */
  maxViewers: 32,
  /** Viewers of a desktop that have not authenticated yet. */
  maxUnauthenticated: 8,
  /** From a viewer's connection until it has authenticated. The user may have to type the password. */
  passwordMs: 60_000,
  /** Delay of the response to a wrong password. */
  wrongPasswordMs: 1_000,
  /** How often the gateway pings a viewer. */
  pingMs: 20_000,
  /** Bytes that may wait for a viewer. Above this, the gateway stops reading from the screen. */
  maxBacklogBytes: 1024 * 1024,
  /** Maximum size of a viewer's message. The longest messages contain the clipboard. */
  maxViewerMessageBytes: 1024 * 1024,
  /** Bytes read from a client before its 101. The rest stays in the kernel. */
  maxEarlyBytes: 64 * 1024,
  /** The head of the browser's response to the upgrade. */
  maxResponseHeadBytes: 16 * 1024,
};

export type GatewayLimits = Readonly<typeof GATEWAY_LIMITS>;
