import { expect } from "vitest";
import { StoreUnavailable } from "../../src/ports/store/store.ts";
import type {
  Removal,
  WantedState,
  Server,
  ServerRegistry,
  ServerReport,
} from "../../src/ports/cluster/server-registry.ts";
import type { FakeClock } from "./fake-clock.ts";

/** A row of the workers table. */
export type Entry = { wanted: WantedState; report: ServerReport; seenAt: Date; by?: FakeRegistry };

/** One server's view of a worker table that several servers can share. */
export class FakeRegistry implements ServerRegistry {
  readonly id: string;
  isAway = false;
  reports = 0;
  /** How far the database's clock is ahead, in ms. */
  aheadMs = 0;
  /** The number of open browsers on servers that aren't in the table. */
  strays = 0;
  readonly #table: Map<string, Entry>;
  readonly #clock: FakeClock;

  constructor(id: string, table: Map<string, Entry>, clock: FakeClock) {
    this.id = id;
    this.#table = table;
    this.#clock = clock;
  }

  async register(report: ServerReport): Promise<WantedState> {
    const before = this.#table.get(this.id)?.wanted ?? "active";
    const wanted = before === "draining" ? "active" : before;
    this.#table.set(this.id, { wanted, report, seenAt: this.#now(), by: this });
    return wanted;
  }

  async report(report: ServerReport): Promise<WantedState | undefined> {
    this.#use();
    this.reports += 1;
    const entry = this.#table.get(this.id);
    if (entry?.by !== undefined && entry.by !== this) return undefined;
    if (entry !== undefined) Object.assign(entry, { report, seenAt: this.#now() });
    return entry?.wanted;
  }

  async leave(): Promise<void> {
    this.#use();
    if (this.#table.get(this.id)?.by === this) this.#table.delete(this.id);
  }

  async leaveDrained(): Promise<boolean> {
    this.#use();
    return this.#table.get(this.id)?.wanted === "draining" && this.#table.delete(this.id);
  }

  async list(): Promise<Server[]> {
    this.#use();
    const isAlive = ({ seenAt }: Entry): boolean => seenAt.getTime() + 10_000 > this.#clock.now().getTime();
    return [...this.#table].map(([id, entry]) => ({
      ...entry.report,
      ...entry,
      id,
      instance: "1",
      isAlive: isAlive(entry),
    }));
  }

  want = (): never => expect.unreachable();
  connectionLimit = (): never => expect.unreachable();

  async remove(id: string): Promise<Removal> {
    this.#use();
    return this.#table.delete(id) ? { is: "removed", browsers: 1 } : { is: "unknown" };
  }

  async removeStrays(): Promise<number> {
    this.#use();
    const { strays } = this;
    this.strays = 0;
    return strays;
  }

  #now(): Date {
    return new Date(this.#clock.now().getTime() + this.aheadMs);
  }

  #use(): void {
    if (this.isAway) throw new StoreUnavailable("It is away.");
  }
}
