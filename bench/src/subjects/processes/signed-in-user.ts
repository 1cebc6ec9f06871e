import type { Server } from "./server.ts";

/** A server's first user, signed in to the dashboard. */
export type SignedInUser = {
  /** @returns The HTML of a page. @throws {Error} If the status isn't 200. */
  get(path: string): Promise<string>;
};

export async function signIn({ url, owner }: Pick<Server, "url" | "owner">): Promise<SignedInUser> {
  const answer = await fetch(new URL("/sign-in", url), {
    method: "POST",
    headers: { Origin: url.origin },
    body: new URLSearchParams(owner),
    redirect: "manual",
  });
  const cookie = answer.headers.getSetCookie().map((line) => line.replace(/;.*/, ""))[0];
  if (cookie === undefined) throw new Error(`Sign-in returned ${answer.status}: ${await answer.text()}`);
  return {
    async get(path) {
      const page = await fetch(new URL(path, url), { headers: { Cookie: cookie }, redirect: "manual" });
      const text = await page.text();
      if (page.status !== 200) throw new Error(`${path} returned ${page.status}: ${text}`);
      return text;
    },
  };
}
