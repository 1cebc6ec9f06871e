import { setTimeout as wait } from "node:timers/promises";
import type { RealServer } from "../support/servers/real-server.ts";
import type { Breakage } from "../support/machine/network.ts";

/** Delay before restarting a server that has exited, as in systemd. */
const RESTART_MS = 500;
/** Number of start attempts, which together take longer than any fault. */
const START_TRIES = 40;
/** Maximum number of characters from the end of a server's log. */
const LOG_TAIL = 2000;

/** A front-end or worker that is restarted whenever it exits. */
export type Machine = {
  readonly role: "front" | "worker";
  readonly name: string;
  /** A worker's id is part of its browsers' addresses. */
  readonly id: string;
  readonly url: URL;
  /** Returns the process id of the current process, or of the last process if the server has exited. */
  readonly pid: () => number;
  readonly server: () => RealServer;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Kills the server, or asks it to stop. Resolves when the server has exited. */
  end(how: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** Allows the server to exit once on its own, because it is being drained. */
  expectStop(): void;
  /** Resolves when the server is running again. */
  ready(): Promise<void>;
  /** Sets the difference between the server's clock and the machine's clock. */
  setClock(offsetS: number): void;
  /**
   * Breaks the server's connections to the database, or front-ends' connections to a worker, until disposed. Requires a
   * network.
   */
  breakOff(from: "database" | "front-ends", how: Breakage): Disposable;
};

type MachineOptions = Pick<Machine, "role" | "name" | "id" | "url" | "setClock" | "breakOff"> & {
  readonly server: () => RealServer;
  /** Starts the server in the same folders, at the same URL. */
  readonly start: () => Promise<unknown>;
  readonly isOver: () => boolean;
  /** Called if the server exits unexpectedly or can't be started. */
  readonly onMistake: (mistake: string) => void;
};

/** Restarts a server whenever it exits. */
export function supervise({ start, isOver, onMistake, ...facts }: MachineOptions): Machine {
  const { name, server } = facts;
  let [isWanted, isDraining] = [false, false];
  let running = Promise.resolve();
  const watch = (): void => {
    void server().ended.then(({ code, signal, stderr }) => {
      if (isOver()) return;
      const isDrained = isDraining && code === 0;
      if (!isWanted && !isDrained) {
        onMistake(`The ${name} exited unexpectedly (${code ?? signal}): ${stderr.slice(-LOG_TAIL)}`);
      }
      if (isDrained) isDraining = false;
      isWanted = false;
      running = restart();
    });
  };
  const restart = async (): Promise<void> => {
    let lastError: unknown;
    const tryStart = (): Promise<boolean> =>
      start().then(
        () => true,
        (error: unknown) => {
          lastError = error;
          return false;
        },
      );
    for (let tries = START_TRIES; tries > 0; tries -= 1) {
      await wait(RESTART_MS);
      // The server doesn't start without the database.
      if (await tryStart()) return watch();
    }
    onMistake(`The ${name} could not be restarted: ${String(lastError)}`);
  };
  watch();
  return {
    ...facts,
    pid: () => server().pid,
    signal: (signal) => server().signal(signal),
    async end(how) {
      isWanted = true;
      server().signal(how);
      await server().ended;
    },
    expectStop: () => void (isDraining = true),
    ready: () => running,
  };
}
