import { isDeepStrictEqual } from "node:util";
import type { Size } from "../../domain/browser/screen.ts";
import type { BrowserSpec } from "../../ports/browser-host.ts";
import type { Clock } from "../../ports/clock.ts";
import type { Display, Displays } from "../../ports/display.ts";
import type { Sandbox, Sandboxes } from "../../ports/sandboxes.ts";
import { type Spare, Spares } from "./spares.ts";
import { toDimensions, writePreferences } from "./launch/window.ts";

/** A sandbox for a browser, with a display if the browser is graphical. */
export type Workspace = AsyncDisposable & {
  readonly sandbox: Sandbox;
  /** Undefined for headless browsers. */
  readonly display: Display | undefined;
};

/** The options that a workspace depends on. */
type Wanted = Pick<BrowserSpec, "kind" | "isHeadless" | "switches">;

type WorkspacesOptions = {
  readonly sandboxes: Sandboxes;
  /** Undefined if only headless browsers are opened. */
  readonly displays: Displays | undefined;
  /** Size of the displays in pixels. */
  readonly screen: Size;
  readonly clock: Pick<Clock, "after">;
  /** Number of workspaces to prepare for each kind of browser opened so far. */
  readonly spares: number;
};

/** Creates workspaces, some in advance. A workspace created in advance runs only its screen, and no user's code. */
export class Workspaces implements AsyncDisposable {
  readonly #options: WorkspacesOptions;
  readonly #spares: Spares<Wanted, Workspace & Spare>;
  readonly #shutdown = new AbortController();
  #prepared = 0;

  constructor(options: WorkspacesOptions) {
    this.#options = options;
    this.#spares = new Spares({ count: options.spares, make: (wanted) => this.#prepare(wanted), clock: options.clock });
  }

  /**
   * Takes a prepared workspace, or makes one. The display may not be ready yet.
   * @throws {Failure} See `Displays.start`. @throws {Error} See `Sandboxes.create`; `signal.reason` if aborted.
   */
  async take(spec: BrowserSpec, signal: AbortSignal): Promise<Workspace> {
    return this.#takeSpare(spec) ?? (await this.#make(spec.id, spec, signal));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#shutdown.abort(new Error("The server is shutting down."));
    await this.#spares[Symbol.asyncDispose]();
  }

  /** Takes a spare. No spares are prepared for graphical browsers whose window size was chosen by a user. */
  #takeSpare({ kind, isHeadless, switches }: Wanted): Workspace | undefined {
    const [own, usual] = [switches, []].map((each) =>
      toDimensions({ isHeadless, switches: each }, this.#options.screen),
    );
    return isHeadless || isDeepStrictEqual(own, usual)
      ? this.#spares.take({ kind, isHeadless, switches: [] })
      : undefined;
  }

  async #make(id: string, wanted: Wanted, signal: AbortSignal): Promise<Workspace> {
    const { sandboxes, displays, screen } = this.#options;
    await using acquired = new AsyncDisposableStack();
    const sandbox = acquired.use(await sandboxes.create(id));
    signal.throwIfAborted();
    if (!wanted.isHeadless) await writePreferences(sandbox, wanted, screen);
    const display = wanted.isHeadless ? undefined : acquired.use(await displays?.start(sandbox, signal));
    const resources = acquired.move();
    return { sandbox, display, [Symbol.asyncDispose]: () => resources.disposeAsync() };
  }

  async #prepare(wanted: Wanted): Promise<Workspace & Spare> {
    this.#prepared += 1;
    await using acquired = new AsyncDisposableStack();
    const workspace = acquired.use(await this.#make(`spare-${this.#prepared}`, wanted, this.#shutdown.signal));
    const [{ ended }] = await Promise.all([workspace.sandbox.prepare(wanted.kind), workspace.display?.ready]);
    acquired.move();
    return {
      ...workspace,
      ended: workspace.display === undefined ? ended : Promise.race([ended, workspace.display.gone]),
    };
  }
}
