const ADDRESS_ID = /(\/devtools\/browser\/)([A-Za-z0-9_-]+)/g;
const DESKTOP_KEY = /(\/desktop\/)([A-Za-z0-9_-]{12,})/g;
const PASSWORD_MEMBER = /^(password|viewPassword|vncpass)$/;
const ADDRESS_MEMBER = /^(address|rfbUrl|url)$/;
/** Shorter passwords are not treated as secrets, because they would match inside words. */
const MIN_PASSWORD = 6;
const MIN_ADDRESS = 12;
const MAX_DEPTH = 64;

/** Private-use characters that surround a placeholder name until the text is quoted. */
const [BEGIN, END] = ["\uE000", "\uE001"];
const MARK = new RegExp(`${BEGIN}([A-Z0-9_]+)${END}`, "g");
const LOST_MARK = new RegExp(`${BEGIN}[A-Z0-9_]*|${END}`, "g");

/** Returns the text with upper case instead of lower case, and the reverse. */
export function inOtherCase(text: string): string {
  const swap = (letter: string): string =>
    letter === letter.toUpperCase() ? letter.toLowerCase() : letter.toUpperCase();
  return Array.from(text, swap).join("");
}

/** Replaces secrets in text with names. Equal secrets have equal names, so that readers can tell browsers apart. */
export class Secrets {
  readonly #words = new Map<string, string>();
  readonly #names = new Map<string, string>();
  readonly #counts = new Map<string, number>();
  /** Matches all secrets; undefined if a new secret requires a rebuild. */
  #pattern: RegExp | undefined;
  readonly #isOwn: (listed: Readonly<Record<string, unknown>>) => boolean;

  /**
   * @param tokens Tokens by name (`TOKEN`, `TOKEN_LIMITED`).
   * @param isOwn Whether a listed browser belongs to this run. Default: true.
   */
  constructor(
    tokens: Readonly<Record<string, string>>,
    isOwn: (listed: Readonly<Record<string, unknown>>) => boolean = () => true,
  ) {
    this.#isOwn = isOwn;
    for (const [name, token] of Object.entries(tokens)) {
      for (const spelling of spellingsOf(inOtherCase(token))) this.#hide(spelling, `${name}_IN_OTHER_CASE`);
      // After the other case, which is the same for a token without letters.
      for (const spelling of spellingsOf(token)) this.#hide(spelling, name);
    }
  }

  /** Collects the passwords and addresses in a response, to redact them everywhere. */
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

  /** In a Get or History response, keeps only this run's browsers. Returns other text unchanged. */
  withoutForeign(text: string, json: unknown): string {
    const lists = (json ?? {}) as Record<string, unknown>;
    const name = ["sessions", "browsers"].find((each) => Array.isArray(lists[each]));
    if (name === undefined) return text;
    const listed = lists[name] as readonly unknown[];
    const own = listed.filter((each) => this.#isOwn((each ?? {}) as Record<string, unknown>));
    const left = listed.length - own.length;
    if (left === 0) return text;
    return JSON.stringify({ ...lists, [name]: [...own, `… and ${left} that this run did not open`] });
  }

  /** Replaces secrets with `$TOKEN`, `$BROWSER_1` and so on. */
  redact(text: string): string {
    return unmark(this.mark(text));
  }

  /** Like `redact`, but keeps marks around the names. Quote or truncate the text, then call `unmark`. */
  mark(text: string): string {
    // Match longer secrets first, because they may contain shorter secrets.
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

  /** Hides the id in an address, or everything after the scheme if the address has an unknown format. */
  #learnAddress(address: string, kind: "BROWSER" | "DESKTOP"): void {
    const [known] = address.matchAll(kind === "BROWSER" ? ADDRESS_ID : DESKTOP_KEY);
    const secret = known?.[2] ?? address.replace(/^\w+:\/\//, "");
    if (secret.length < MIN_ADDRESS || this.#words.has(secret)) return;
    this.#hide(secret, this.#nameOf(kind, secret));
  }

  /** Hides a secret in plain text, JSON and URLs. */
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

/** Returns the encodings in which a server could leak a token. */
function spellingsOf(token: string): readonly string[] {
  const bytes = Buffer.from(token);
  return [
    ...[token, token.toLowerCase(), token.toUpperCase(), bytes.toString("hex")],
    ...["base64", "base64url"].map((encoding) => bytes.toString(encoding as BufferEncoding)),
  ];
}

/** Replaces marked names with shell variables, and removes truncated marks. */
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
