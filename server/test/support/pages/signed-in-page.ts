import type { BrowserContext, Page } from "playwright-core";
import type { PageUser } from "./page-user.ts";

/** Opens an empty page with a signed-in user's cookies. @param url The server's URL. */
export async function openSignedInPage(context: BrowserContext, url: URL, user: PageUser): Promise<Page> {
  const cookies = user.cookies().split("; ");
  await context.addCookies(
    cookies.map((cookie) => {
      const [name = "", value = ""] = cookie.split("=");
      return { name, value, url: url.href };
    }),
  );
  return context.newPage();
}

/** Collects a page's script errors and content security policy violations. */
export function collectErrors(page: Page, pageErrors: string[]): void {
  page.on("pageerror", (error) => pageErrors.push(String(error)));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) pageErrors.push(message.text());
  });
}
