import type { BrowserContext, Page } from "playwright-core";
import type { Person } from "./person.ts";

/** An empty page with the cookies of a signed-in user. @param url The server's URL. */
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

/** Collects script errors and content security policy violations of a page. */
export function followComplaints(page: Page, complaints: string[]): void {
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("console", (message) => {
    if (/content security policy/i.test(message.text())) complaints.push(message.text());
  });
}
