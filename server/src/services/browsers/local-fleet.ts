import type { Account } from "../../domain/account/account.ts";
import type { DesktopAccess } from "../../domain/browser/desktop.ts";
import type { EndReason } from "../../domain/browser/end.ts";
import type { OpenOptions } from "../../domain/browser/open-options.ts";
import type { DatedThumbnail } from "../../ports/display.ts";
import type { Fleet, ListedBrowser, Owner } from "../../ports/fleet.ts";
import type { Desktops } from "../desktops/desktops.ts";
import type { OpenBrowser } from "./open-browser.ts";
import type { Residents } from "./residents.ts";
import type { Thumbnails } from "./thumbnails.ts";

type Needs = {
  readonly residents: Residents;
  readonly desktops: Pick<Desktops, "start" | "stop" | "passwordOf">;
  readonly thumbnails: Pick<Thumbnails, "take">;
};

/** The fleet of a deployment with one process: all browsers are residents of this one. */
export class LocalFleet implements Fleet {
  readonly #needs: Needs;

  constructor(needs: Needs) {
    this.#needs = needs;
  }

  async open(account: Account, options: OpenOptions, base: URL, gone: AbortSignal): Promise<string> {
    const { address } = await this.#needs.residents.open(account, options, base, gone);
    return address;
  }

  async list(owner: Owner): Promise<ListedBrowser[]> {
    return this.#needs.residents.list(owner).map((browser) => this.#toListed(browser));
  }

  async listAll(): Promise<ListedBrowser[]> {
    return [...this.#needs.residents.all()].map((browser) => this.#toListed(browser));
  }

  async close(owner: Owner, address: string): Promise<void> {
    await this.#needs.residents.find(owner, address).close("requested");
  }

  closeAllOf(accountId: string, reason: EndReason): Promise<void> {
    return this.#needs.residents.closeAllOf(accountId, reason);
  }

  startDesktop(owner: Owner, address: string, base: URL): Promise<DesktopAccess> {
    return this.#needs.desktops.start(owner, address, base);
  }

  stopDesktop(owner: Owner, address: string): Promise<void> {
    return this.#needs.desktops.stop(owner, address);
  }

  async takePicture(owner: Owner, address: string, signal: AbortSignal): Promise<DatedThumbnail | undefined> {
    const { residents, thumbnails } = this.#needs;
    return thumbnails.take(residents.find(owner, address), signal);
  }

  #toListed(browser: OpenBrowser): ListedBrowser {
    const { id, accountId, address, openedAt, kind, isHeadless, label, proxyHost, screen, clients, due } = browser;
    const desktopPassword = this.#needs.desktops.passwordOf(browser);
    const hasScreen = screen !== undefined;
    return {
      ...{ id, accountId, address, openedAt, kind, isHeadless, label, proxyHost, clients, due },
      hasScreen,
      desktopPassword,
    };
  }
}
