const ADDRESS_ID = /(\/devtools\/browser\/)([A-Za-z0-9_-]+)/g;
const DESKTOP_KEY = /(\/desktop\/)([A-Za-z0-9_-]{12,})/g;
const PASSWORD_MEMBER = /^(password|viewPassword|vncpass)$/;
const ADDRESS_MEMBER = /^(address|rfbUrl|url)$/;
/** Shorter ones are none that anybody meant to be secret, and would be found inside of words. */
const MIN_PASSWORD = 6;
const MIN_ADDRESS = 12;
const MAX_DEPTH = 64;

/** Around a name, until it is clear how it has to be written; no answer has these by accident. */
const [BEGIN, END] = ["\uE000", "\uE001"];
const MARK = new RegExp(`${BEGIN}([A-Z0-9_]+)${END}`, "g");
const LOST_MARK = new RegExp(`${BEGIN}[A-Z0-9_]*|${END}`, "g");

/**
 * Takes out of texts what nobody but the account's owner may read, and puts a name in its place; the same secret gets the
 * same name, so that a reader still sees which browser is meant.
 */
export class Secrets {
  readonly #words = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** All words at once; undefined when there is a new one. */
  #pattern: RegExp | undefined;
  readonly #isOwn: (listed: Readonly<Record<string, unknown>>) => boolean;

  /**
   * @param tokens Name of each token (`TOKEN`, `TOKEN_LIMITED`) and the token.
   * @param isOwn Whether an element of a list is a browser of this run; all are, unless it says otherwise.
   */
  constructor(
    tokens: Readonly<Record<string, string>>,
    isOwn: (listed: Readonly<Record<string, unknown>>) => boolean = () => true,
  ) {
    this.#isOwn = isOwn;
    for (const [name, token] of Object.entries(tokens)) {
      for (const spelling of spellingsOf(token)) this.#hide(spelling, name);
    }
  }

  /** From now on the passwords and addresses in an answer are known, wherever they stand. */
  learn(json: unknown, depth = MAX_DEPTH): void {
    if (typeof json !== "object" || json === null || depth === 0) return;
    for (const [member, value] of Object.entries(json)) {
      if (typeof value !== "string") this.learn(value, depth - 1);
      else if (ADDRESS_MEMBER.test(member)) this.#learnAddress(value, member === "address" ? "BROWSER" : "DESKTOP");
      else if (PASSWORD_MEMBER.test(member) && value.length >= MIN_PASSWORD && !this.#words.has(value)) {
        this.#hide(value, this.#nameOf("PASSWORD", value));
      }
    }
  }

  /** The text of an answer without what it lists of browsers that are others'; the text itself when there are none. */
  withoutOthers(text: string, json: unknown): string {
    const { sessions } = (json ?? {}) as { sessions?: unknown };
    if (!Array.isArray(sessions)) return text;
    const own = sessions.filter((each) => this.#isOwn((each ?? {}) as Record<string, unknown>));
    const left = sessions.length - own.length;
    if (left === 0) return text;
    return JSON.stringify({ ...(json as object), sessions: [...own, `… and ${left} that this run did not open`] });
  }

  /** The text with `$TOKEN`, `$BROWSER_1` and the like in place of what is secret. */
  redact(text: string): string {
    return unmark(this.mark(text));
  }

  /** The same with marks around the names, for who has still to quote or to cut it; `unmark` ends that. */
  mark(text: string): string {
    // One may be a part of another: the longer one comes first.
    this.#pattern ??= new RegExp(
      [...this.#words.keys()]
        .toSorted((one, other) => other.length - one.length)
        .map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
        .join("|"),
      "g",
    );
    const safe = text.replaceAll(this.#pattern, (word) => (word === "" ? "" : toMark(this.#words.get(word) ?? "")));
    const hide = (kind: string) => (_: string, path: string, secret: string) =>
      `${path}${toMark(this.#nameOf(kind, secret))}`;
    return safe.replaceAll(ADDRESS_ID, hide("BROWSER")).replaceAll(DESKTOP_KEY, hide("DESKTOP"));
  }

  /** What tells a browser or a desktop is known by its place, or else may be all that comes after the scheme. */
  #learnAddress(address: string, kind: "BROWSER" | "DESKTOP"): void {
    const [known] = address.matchAll(kind === "BROWSER" ? ADDRESS_ID : DESKTOP_KEY);
    const secret = known?.[2] ?? address.replace(/^\w+:\/\//, "");
    if (secret.length < MIN_ADDRESS || this.#words.has(secret)) return;
    this.#hide(secret, this.#nameOf(kind, secret));
  }

  /** As it is, and as it is written within JSON and within URLs. */
  #hide(word: string, name: string): void {
    const wellFormed = word.toWellFormed();
    const forms = [word, JSON.stringify(word).slice(1, -1), encodeURIComponent(wellFormed), encodeURI(wellFormed)];
    for (const form of forms) this.#words.set(form, name);
    this.#pattern = undefined;
  }

  #nameOf(kind: string, secret: string): string {
    const key = `${kind} ${secret}`;
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const count = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, count);
    this.#names.set(key, `${kind}_${count}`);
    return `${kind}_${count}`;
  }
}

/** A server may give a token back in another spelling that anybody can read. */
function spellingsOf(token: string): readonly string[] {
  const bytes = Buffer.from(token);
  return [
    ...[token, token.toLowerCase(), token.toUpperCase(), bytes.toString("hex")],
    ...["base64", "base64url"].map((encoding) => bytes.toString(encoding as BufferEncoding)),
  ];
}

/** Marked names as a shell reads them; what is left of marks that were cut goes. */
export function unmark(text: string): string {
  return text
    .replaceAll(MARK, (_, name: string, at: number, whole: string) => {
      const next = whole[at + name.length + 2] ?? "";
      return /\w/.test(next) ? `\${${name}}` : `$${name}`;
    })
    .replaceAll(LOST_MARK, "…");
}

function toMark(name: string): string {
  return `${BEGIN}${name}${END}`;
}
