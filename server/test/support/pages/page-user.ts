import { randomUUID } from "node:crypto";
import { TOKEN_FIELD } from "../../../src/web/kit/form-token.ts";

export const PASSWORD = "a sentence that is hard to guess";

export type PageResponse = { readonly status: number; readonly headers: Headers; readonly text: string };

/** A user who visits the pages without a web browser. Stores cookies, and sends forms with the last page's token. */
export type PageUser = {
  readonly email: string;
  /** The value of the Cookie header. */
  cookies(): string;
  /** Doesn't follow redirects. */
  get(path: string, headers?: Record<string, string>): Promise<PageResponse>;
  /** Sends a form as a web browser would, with the last page's form token. Omits undefined fields and headers. */
  post(
    path: string,
    fields?: Record<string, string | undefined>,
    headers?: Record<string, string | undefined>,
    signal?: AbortSignal,
  ): Promise<PageResponse>;
};

/** @param url The server's URL. */
export function newPageUser(url: URL, email = `${randomUUID()}@example.com`): PageUser {
  const jar = new Map<string, string>();
  let formToken: string | undefined;
  const cookies = (): string => [...jar].map(([name, value]) => `${name}=${value}`).join("; ");

  async function send(path: string, init: RequestInit): Promise<PageResponse> {
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
    post(path, fields = {}, headers = {}, signal) {
      const all = { [TOKEN_FIELD]: formToken, ...fields };
      const given = <Value>(record: Record<string, Value | undefined>): [string, Value][] =>
        Object.entries(record).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]));
      const sent = { Accept: "text/html", Cookie: cookies(), Origin: url.origin, ...headers };
      return send(path, {
        method: "POST",
        headers: given(sent),
        body: new URLSearchParams(given(all)),
        ...(signal && { signal }),
      });
    },
  };
}

/** Signs up, signs in and opens the dashboard. @throws {Error} If the server refuses. */
export async function signUp(url: URL, email?: string): Promise<PageUser> {
  const user = newPageUser(url, email);
  const { status, text } = await user.post("/sign-up", { email: user.email, password: PASSWORD });
  if (status !== 200) throw new Error(`Signing up returned ${status}: ${text}`);
  return signIn(url, user.email, PASSWORD);
}

/** Signs in and opens the dashboard. @throws {Error} If the server refuses. */
export async function signIn(url: URL, email: string, password: string): Promise<PageUser> {
  const user = newPageUser(url, email);
  const { status, text } = await user.post("/sign-in", { email, password });
  if (status !== 303) throw new Error(`Signing in returned ${status}: ${text}`);
  await user.get("/dashboard");
  return user;
}

/** Follows changes to a user's browsers, as the dashboard does. Disposing stops following. */
export async function followChanges(url: URL, user: PageUser): Promise<AsyncDisposable & { count(): number }> {
  const leaving = new AbortController();
  const { signal } = leaving;
  const { body } = await fetch(new URL("/dashboard/events", url), { headers: { Cookie: user.cookies() }, signal });
  let text = "";
  const target = new WritableStream<string>({ write: (part) => void (text += part) });
  const reading = body?.pipeThrough(new TextDecoderStream()).pipeTo(target);
  return {
    count: () => text.split("event: changed").length - 1,
    async [Symbol.asyncDispose]() {
      leaving.abort();
      await reading?.catch(() => {});
    },
  };
}
