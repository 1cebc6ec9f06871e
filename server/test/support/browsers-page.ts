import { type Person, signUp } from "./person.ts";

/** Signs up a user with a plan. */
export async function withPlan(url: URL, plan = "self-hosted"): Promise<Person> {
  const person = await signUp(url);
  const { status } = await person.post("/dashboard/settings/plan", { plan });
  if (status !== 303) throw new Error(`The plan ${plan} was refused with ${status}.`);
  return person;
}

/** Opens a browser by the form. @returns Its id. */
export async function open(person: Person, options: Record<string, string> = {}): Promise<string> {
  const before = await idsOf(person);
  const { status } = await person.post("/dashboard/open", { KeepOpen: "600", ...options });
  if (status !== 303) throw new Error(`Opening a browser gave ${status}.`);
  const [id = ""] = (await idsOf(person)).filter((one) => !before.includes(one));
  return id;
}

/** Ids of the browsers on the page, the oldest first. */
export async function idsOf(person: Person): Promise<string[]> {
  const { text } = await person.get("/dashboard");
  return [...text.matchAll(/id="browser-(\w+)"/g)].map(([, id = ""]) => id);
}

/** Addresses of the browsers on the page, the oldest first. */
export async function addressesOf(person: Person): Promise<string[]> {
  const { text } = await person.get("/dashboard");
  return [...text.matchAll(/data-copy="([^"]+)"/g)].map(([, address = ""]) => address);
}

/** The text of a card, without tags and repeated spaces. */
export async function wordsOf(person: Person, id: string): Promise<string> {
  const { text } = await person.get("/dashboard");
  const from = text.indexOf(`id="browser-${id}"`);
  const card = text.slice(from, text.indexOf("</li>", from));
  return card.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}
