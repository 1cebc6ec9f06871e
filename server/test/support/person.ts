import { randomUUID } from "node:crypto";
import { TOKEN_FIELD } from "../../src/web/kit/form-token.ts";

export const PASSWORD = "a sentence nobody guesses";

export type Seen = { readonly status: number; readonly headers: Headers; readonly text: string };

/** Somebody who uses the pages without a browser: keeps cookies, and fills in forms as the pages give them. */
export type Person = {
  readonly email: string;
  /** What the Cookie header says. */
  cookies(): string;
  /** Redirects are not followed. */
  get(path: string, headers?: Record<string, string>): Promise<Seen>;
  /**
   * Sends a form as a browser would, with the token of the person's last page; fields and headers that are undefined are
   * left out.
   */
  post(
    path: string,
    fields?: Record<string, string | undefined>,
    headers?: Record<string, string | undefined>,
  ): Promise<Seen>;
};

/** @param url Of the server. */
export function newPerson(url: URL, email = `${randomUUID()}@example.com`): Person {
  const jar = new Map<string, string>();
  let formToken: string | undefined;
  const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  async function send(path: string, init: RequestInit): Promise<Seen> {
    const answer = await fetch(new URL(path, url), { redirect: "manual", ...init });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (value === "") jar.delete(name);
      else jar.set(name, value);
    }
    const text = await answer.text();
    const [, token] = new RegExp(`name="${TOKEN_FIELD}" value="([^"]+)"`).exec(text) ?? [];
    formToken = token ?? formToken;
    return { status: answer.status, headers: answer.headers, text };
  }

  return {
    email,
    cookies,
    get: (path, headers = {}) => send(path, { headers: { Accept: "text/html", Cookie: cookies(), ...headers } }),
    post(path, fields = {}, headers = {}) {
      const all = { [TOKEN_FIELD]: formToken, ...fields };
      const given = <Value>(record: Record<string, Value | undefined>): [string, Value][] =>
        Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      const sent = { Accept: "text/html", Cookie: cookies(), Origin: url.origin, ...headers };
      return send(path, {
        method: "POST",
        headers: given(sent),
        body: new URLSearchParams(given(all)),
      });
    },
  };
}

/** Signs up, and goes to the dashboard. @throws {Error} When the server does not take it. */
export async function signUp(url: URL, email?: string): Promise<Person> {
  const person = newPerson(url, email);
  const { status, text } = await person.post("/sign-up", { email: person.email, password: PASSWORD });
  if (status !== 303) throw new Error(`Signing up gave ${status}: ${text}`);
  await person.get("/dashboard");
  return person;
}

/** Signs in with an account's e-mail and password, and goes to the dashboard. */
export async function signIn(url: URL, email: string, password: string): Promise<Person> {
  const person = newPerson(url, email);
  const { status, text } = await person.post("/sign-in", { email, password });
  if (status !== 303) throw new Error(`Signing in gave ${status}: ${text}`);
  await person.get("/dashboard");
  return person;
}
