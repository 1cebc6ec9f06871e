import type { Route } from "./route.ts";

/** The route that one browser's traffic takes now. */
export class Switchyard {
  #current: Route;

  constructor(first: Route) {
    this.#current = first;
  }

  /** Uses the current route; what a change interrupts begins again on the next. */
  async through<T>(use: (route: Route) => Promise<T>): Promise<T> {
    for (;;) {
      const route = this.#current;
      try {
        const used = await use(route);
        if (route === this.#current) return used;
      } catch (error) {
        if (route === this.#current) throw error;
      }
    }
  }

  change(next: Route): void {
    const previous = this.#current;
    this.#current = next;
    previous.cut();
  }

  /** Cuts every connection; the current route lets none be opened any more. */
  cut(): void {
    this.#current.cut();
  }
}
