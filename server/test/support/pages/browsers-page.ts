import { type PageUser, signUp } from "./page-user.ts";

/** Signs up a user with a plan. */
export async function withPlan(url: URL, plan = "self-hosted"): Promise<PageUser> {
  const user = await signUp(url);
  const { status } = await user.post("/dashboard/settings/plan", { plan });
  if (status !== 303) throw new Error(`The server refused plan ${plan} with status ${status}.`);
  return user;
}

/** Opens a browser through the form. @returns The browser's id. */
export async function open(user: PageUser, options: Record<string, string> = {}): Promise<string> {
  const before = await idsOf(user);
  const { status } = await user.post("/dashboard/open", { KeepOpen: "600", ...options });
  if (status !== 303) throw new Error(`Opening a browser returned ${status}.`);
  const [id = ""] = (await idsOf(user)).filter((one) => !before.includes(one));
  return id;
}

/** Returns the ids of the browsers on the page, oldest first. */
export async function idsOf(user: PageUser): Promise<string[]> {
  const { text } = await user.get("/dashboard");
  return [...text.matchAll(/id="browser-(\w+)"/g)].map(([, id = ""]) => id);
}

/** Returns the addresses of the browsers on the page, oldest first. */
export async function addressesOf(user: PageUser): Promise<string[]> {
  const { text } = await user.get("/dashboard");
  return [...text.matchAll(/data-copy="(wss?:[^"]+)"/g)].map(([, address = ""]) => address);
}

/** Returns a card's text, without tags or repeated spaces. */
export async function cardText(user: PageUser, id: string): Promise<string> {
  const { text } = await user.get("/dashboard");
  const from = text.indexOf(`id="browser-${id}"`);
  const [card = ""] = text.slice(from).split(/<li class="card browser"|<\/section>/);
  return card.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}
