import { setTimeout as wait } from "node:timers/promises";
import type { RealServer } from "../support/servers/real-server.ts";
import type { Breakage } from "../support/machine/network.ts";

/** How soon a server that has ended is started again, as by systemd. */
const RESTART_MS = 500;
/** Faults last for less than these starts take. */
const START_TRIES = 40;
/** What the last lines of a server's log may have, in characters. */
const LOG_TAIL = 2000;

/** A front-end or a worker, which is started again whenever it ends. */
export type Machine = {
  readonly role: "front" | "worker";
  readonly name: string;
  /** The id of a worker is in the addresses of its browsers. */
  readonly id: string;
  readonly url: URL;
  /** Of the process that runs now, or ran last. */
  readonly pid: () => number;
  readonly server: () => RealServer;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Kills it, or asks it to stop. Resolves when it has ended. */
  end(how: "SIGKILL" | "SIGTERM"): Promise<void>;
  /** From now on, it may stop once by itself, because it is drained. */
  expectStop(): void;
  /** Resolves when it runs again. */
  ready(): Promise<void>;
  /** Moves its time of day away from the machine's. */
  setClock(offsetS: number): void;
  /**
   * Breaks its connections to the database, or those that front-ends have to a worker, until disposed. Needs a network.
   */
  breakOff(from: "database" | "front-ends", how: Breakage): Disposable;
};

type MachineOptions = Pick<Machine, "role" | "name" | "id" | "url" | "setClock" | "breakOff"> & {
  readonly server: () => RealServer;
  /** Starts it in the same folders, at the same URL. */
  readonly start: () => Promise<unknown>;
  readonly isOver: () => boolean;
  /** Is told if it ended although nothing had ended it, or can't be started. */
  readonly onMistake: (mistake: string) => void;
};

/** Starts a server again whenever it ends. */
export function supervise({ start, isOver, onMistake, ...facts }: MachineOptions): Machine {
  const { name, server } = facts;
  let [isWanted, isDraining] = [false, false];
  let running = Promise.resolve();
  const watch = (): void => {
    void server().ended.then(({ code, signal, stderr }) => {
      if (isOver()) return;
      const isDrained = isDraining && code === 0;
      if (!isWanted && !isDrained) {
        onMistake(`The ${name} ended by itself (${code ?? signal}): ${stderr.slice(-LOG_TAIL)}`);
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
      // Without the database, it doesn't start.
      if (await tryStart()) return watch();
    }
    onMistake(`The ${name} did not start again: ${String(lastError)}`);
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
