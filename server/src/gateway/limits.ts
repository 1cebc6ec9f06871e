/** Bounds of the gateway. Times in milliseconds. */
export type GatewayLimits = {
  /** From the client's upgrade request to the browser's 101. */
  readonly handshakeMs: number;
  /** How long a client whose connection the browser dropped waits to hear that the browser has ended, and why. */
  readonly endNoticeMs: number;
  /** From our FIN until a peer that does not close is cut. */
  readonly closeGraceMs: number;
  /** How often the clients' send queues are looked at. */
  readonly stallCheckMs: number;
  /** A client with bytes waiting that took none of them for this long counts as gone. */
  readonly stallMs: number;
  /** Silence after which the kernel asks whether a client still lives. */
  readonly keepAliveIdleMs: number;
  readonly keepAliveIntervalMs: number;
  /** Questions without an answer after which the client counts as gone. */
  readonly keepAliveProbes: number;
  /** Clients of one browser, connected or connecting: each costs a process beside it. */
  readonly maxClients: number;
  /** Viewers of one desktop: each is sent every change of the screen. */
  readonly maxViewers: number;
  /** Of these, the ones that have not shown a password yet. */
  readonly maxUnauthenticated: number;
  /** From a viewer's connection until it has shown a password: a person may have to type it. */
  readonly passwordMs: number;
  /** How long the answer to a wrong password is kept back. */
  readonly wrongPasswordMs: number;
  /** How often a viewer is pinged. */
  readonly pingMs: number;
  /** Changes of the screen that may wait for a viewer to take them; its screen then waits as well. */
  readonly maxBacklogBytes: number;
  /** One message of a viewer; the longest is a clipboard. */
  readonly maxViewerMessageBytes: number;
  /** What a client may send before its 101; more is left in the kernel until then. */
  readonly maxEarlyBytes: number;
  /** The head of the browser's answer to the upgrade. */
  readonly maxAnswerHeadBytes: number;
};

export const GATEWAY_LIMITS: GatewayLimits = {
  handshakeMs: 10_000,
  endNoticeMs: 2_000,
  closeGraceMs: 1_000,
  stallCheckMs: 10_000,
  stallMs: 120_000,
  // 10 + 5 × 3 = 25 s. The kernel's timers may run an eighth late, and 30 s is the promise.
  keepAliveIdleMs: 10_000,
  keepAliveIntervalMs: 3_000,
  keepAliveProbes: 5,
  maxClients: 128,
  maxViewers: 32,
  maxUnauthenticated: 8,
  passwordMs: 60_000,
  wrongPasswordMs: 1_000,
  pingMs: 20_000,
  maxBacklogBytes: 1024 * 1024,
  maxViewerMessageBytes: 1024 * 1024,
  maxEarlyBytes: 64 * 1024,
  maxAnswerHeadBytes: 16 * 1024,
};

/**
 * Calls back once after `delayMs`, without keeping the process alive.
 * @returns Cancels it; harmless when it has fired.
 */
export type After = (delayMs: number, call: () => void) => () => void;
