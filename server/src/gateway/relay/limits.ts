/** Gateway limits. Times are in milliseconds. */
export const GATEWAY_LIMITS = {
  /** Maximum time from the client's upgrade request to the upstream's response. */
  handshakeMs: 10_000,
  /** Time to wait for the reason after an upstream drops its connection, before the client receives 1011. */
  endNoticeMs: 2_000,
  /** How long after its FIN or close frame the gateway disconnects a peer that hasn't closed. */
  closeGraceMs: 1_000,
  /** Interval between checks of the clients' send queues. */
  stallCheckMs: 10_000,
  /** A client that doesn't read any of its waiting bytes for this long is treated as disconnected. */
  stallMs: 120_000,
  // Clients count as lost after 10 + 5 × 3 = 25 s: kernel timers can be an eighth late, and the docs promise 30 s.
  /** Idle time after which the kernel probes a client. */
  keepAliveIdleMs: 10_000,
  keepAliveIntervalMs: 3_000,
  /** Number of unanswered probes after which a client is treated as disconnected. */
  keepAliveProbes: 5,
  /** Maximum number of connected or connecting clients and viewers across all browsers. */
  maxAll: Infinity,
  /** Maximum number of connected or connecting clients per browser. */
  maxClients: 128,
  /** Maximum number of viewers per desktop. The gateway sends every screen change to each viewer. */
  maxViewers: 32,
  /** Maximum number of unauthenticated viewers per desktop. */
  maxUnauthenticated: 8,
  /** Maximum time for a viewer to authenticate after it connects. The user may have to type the password. */
  passwordMs: 60_000,
  /** Delay before the response to a wrong password. */
  wrongPasswordMs: 1_000,
  /** Interval between pings to a viewer. */
  pingMs: 20_000,
  /** Maximum number of bytes that wait for a viewer. Above this limit, the gateway stops reading from the screen. */
  maxBacklogBytes: 1024 * 1024,
  /** Maximum size of a viewer's message. The longest messages contain the clipboard. */
  maxViewerMessageBytes: 1024 * 1024,
  /** Maximum number of bytes read before the 101 response. The kernel buffers any further bytes. */
  maxEarlyBytes: 64 * 1024,
  /** Maximum size of the head of the browser's upgrade response. */
  maxResponseHeadBytes: 16 * 1024,
};

export type GatewayLimits = Readonly<typeof GATEWAY_LIMITS>;
