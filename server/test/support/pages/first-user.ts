import { type Browser, type BrowserContextOptions, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { type FakeService, startFakeService } from "../servers/fake-service.ts";
import { PASSWORD, type PageUser, signIn } from "./page-user.ts";
import { collectErrors, openSignedInPage } from "./signed-in-page.ts";
import { PATIENCE } from "../until.ts";

/** Updating pictures and reconnecting take a few seconds. */
export const PATIENCE_MS = 15_000 * PATIENCE;

type FirstUser = {
  readonly server: FakeService;
  readonly user: PageUser;
  /** Opens an empty page in its own window. */
  newPage(options?: BrowserContextOptions): Promise<Page>;
  /** Opens the list of browsers, and waits until the page follows changes. */
  visitBrowsers(options?: BrowserContextOptions): Promise<Page>;
  /** Opens a browser through the API. @returns Its address. */
  open(options?: object): Promise<string>;
  close(address: string): Promise<void>;
};

/**
 * For each test in a file, starts a server with fake browsers, and a web browser for the user of the server's first
 * account. A test fails if a page has script errors or violates the content security policy.
 */
export function useFirstUser(): FirstUser {
  let server: FakeService;
  let user: PageUser;
  let userBrowser: Browser;
  let pageErrors: string[];
  beforeAll(async () => {
    userBrowser = await chromium.launch({ executablePath: "/usr/bin/chromium", args: ["--no-sandbox"] });
  });
  afterAll(() => userBrowser.close());
  beforeEach(async () => {
    pageErrors = [];
    server = await startFakeService();
    const { email, password } = server.service.firstAccount ?? { email: "", password: PASSWORD };
    user = await signIn(server.service.url, email, password);
  });
  afterEach(async () => {
    await Promise.all(userBrowser.contexts().map((context) => context.close()));
    await server[Symbol.asyncDispose]();
    expect(pageErrors).toEqual([]);
  });

  const newPage: FirstUser["newPage"] = async (options = {}) => {
    const context = await userBrowser.newContext({ viewport: { width: 1280, height: 900 }, ...options });
    const page = await openSignedInPage(context, server.service.url, user);
    collectErrors(page, pageErrors);
    return page;
  };
  return {
    get server() {
      return server;
    },
    get user() {
      return user;
    },
    newPage,
    async visitBrowsers(options = {}) {
      const page = await newPage(options);
      await page.goto(new URL("/dashboard", server.service.url).href);
      if (options.javaScriptEnabled !== false) await untilLive(page);
      return page;
    },
    async open(options = {}) {
      const { status, body } = await server.post("/api/v1/Browser/Open", { KeepOpen: 600, ...options });
      expect(status).toBe(200);
      return String(body["address"]);
    },
    async close(address) {
      await server.post("/api/v1/Browser/Close", { address });
    },
  };
}

/** Waits until a page follows changes to its account's browsers. */
export async function untilLive(page: Page): Promise<void> {
  await page.locator("#live", { hasText: "Live" }).waitFor({ timeout: PATIENCE_MS });
}
