import type { BrowserContext, Page } from "playwright-core";
import type { Person } from "./person.ts";

/** A page of somebody who is signed in already; it shows nothing yet. @param url Of the server. */
export async function enter(context: BrowserContext, url: URL, person: Person): Promise<Page> {
  const cookies = person.cookies().split("; ");
  await context.addCookies(
    cookies.map((cookie) => {
      const [name = "", value = ""] = cookie.split("=");
      return { name, value, url: url.href };
    }),
  );
  return context.newPage();
}

/** Adds what a page complains about: scripts that failed, and what the content security policy forbade. */
export function followComplaints(page: Page, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
}
