import { type Person, signUp } from "./person.ts";

/** Somebody who may open browsers. */
export async function withPlan(url: URL, plan = "self-hosted"): Promise<Person> {
  const person = await signUp(url);
  const { status } = await person.post("/dashboard/settings/plan", { plan });
  if (status !== 303) throw new Error(`The plan ${plan} was refused with ${status}.`);
  return person;
}

/** Opens one as the person. @returns Its id. */
export async function open(person: Person, options: Record<string, string> = {}): Promise<string> {
  const before = await idsOf(person);
  const { status } = await person.post("/dashboard/open", { KeepOpen: "600", ...options });
  if (status !== 303) throw new Error(`Opening a browser gave ${status}.`);
  const [id = ""] = (await idsOf(person)).filter((one) => !before.includes(one));
  return id;
}

/** Of the browsers that the person sees, the first opened first. */
export async function idsOf(person: Person): Promise<string[]> {
  const { text } = await person.get("/dashboard");
  return [...text.matchAll(/id="browser-(\w+)"/g)].map(([, id = ""]) => id);
}

/** The same by their addresses. */
export async function addressesOf(person: Person): Promise<string[]> {
  const { text } = await person.get("/dashboard");
  return [...text.matchAll(/data-copy="([^"]+)"/g)].map(([, address = ""]) => address);
}

/** A card as text: without tags, and without what stands between them. */
export async function wordsOf(person: Person, id: string): Promise<string> {
  const { text } = await person.get("/dashboard");
  const from = text.indexOf(`id="browser-${id}"`);
  const card = text.slice(from, text.indexOf("</li>", from));
  return card.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
}
