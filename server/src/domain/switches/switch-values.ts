/** A value in the form that Chromium accepts, or a description of the problem. */
type ReadValue = { readonly value: string } | { readonly problem: string };

/** The value of a switch, after its `=`. */
export type SwitchValue = {
  /** Describes the value for users, in Markdown. */
  readonly form: string;
  /** Whether the values of a repeated switch are combined. */
  readonly isList?: boolean;
  read(text: string): ReadValue;
};

/** An allowed switch: its name, its value (undefined if none), and a one-line description. */
export type SwitchRow = readonly [name: `--${string}`, value: SwitchValue | undefined, meaning: string];

export type SwitchGroup = { readonly title: string; readonly rows: readonly SwitchRow[] };

export function integer(least: number, most: number): SwitchValue {
  return matching(`a whole number from ${least} to ${most}`, /^-?\d{1,9}$/, (text) => within(text, least, most));
}

export function decimal(least: number, most: number): SwitchValue {
  return matching(`a number from ${least} to ${most}`, /^\d{1,3}(\.\d{1,4})?$/, (text) => within(text, least, most));
}

/** Two numbers. `1280x800` is normalized to `1280,800`. */
export function pair(names: string, least: number, most: number): SwitchValue {
  const form = `\`${names}\`, each a whole number from ${least} to ${most}`;
  const numbers = matching(form, /^-?\d{1,5}[,x]-?\d{1,5}$/, (text) =>
    text.split(/[,x]/).every((number) => within(number, least, most)),
  );
  return {
    form,
    read(text) {
      const result = numbers.read(text);
      return "value" in result ? { value: result.value.replace("x", ",") } : result;
    },
  };
}

export function oneOf(...values: readonly string[]): SwitchValue {
  const form = values.map((value) => `\`${value}\``).join(", ");
  return matching(values.length === 1 ? `only ${form}` : `one of ${form}`, /^/, (text) => values.includes(text));
}

/** Text without line breaks. */
export function printable(maxLength: number): SwitchValue {
  return matching(`up to ${maxLength} printable ASCII characters`, /^[\x20-\x7e]+$/, (value) => {
    return value.length <= maxLength && value.trim() !== "";
  });
}

export const LANGUAGE = matching("a language tag, such as `de-DE`", /^[A-Za-z]{2,3}([-_][A-Za-z0-9]{2,8}){0,3}$/);

export const LANGUAGES = matching(
  "language tags, such as `de-DE,de`",
  /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}(,[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}){0,19}$/,
);

const ZONE = /^[A-Za-z]\w*([/+-]\w+){0,3}$/;

/** Normalizes a time zone to its spelling in the tz database, which `TZ` requires. Other values could name files. */
export const TIME_ZONE: SwitchValue = {
  form: "a name from the time zone database, such as `Europe/Berlin`",
  read(text) {
    const zone = ZONE.test(text) ? toTimeZone(text) : undefined;
    return zone === undefined ? { problem: `expected ${this.form}, not ${quote(text)}` } : { value: zone };
  },
};

function toTimeZone(text: string): string | undefined {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: text }).resolvedOptions().timeZone;
  } catch {
    return undefined;
  }
}

export const ORIGINS = matching(
  "origins, such as `http://example.com,https://example.org:8443`",
  /^(https?|wss?):\/\/[A-Za-z0-9*.-]{1,253}(:\d{1,5})?(,(https?|wss?):\/\/[A-Za-z0-9*.-]{1,253}(:\d{1,5})?){0,49}$/,
);

export const PORTS = matching("port numbers, such as `6000,6665`", /^\d{1,5}(,\d{1,5}){0,49}$/, (value) =>
  value.split(",").every((port) => within(port, 1, 65_535)),
);

export const CIPHERS = matching(
  "cipher suites, such as `0x009c,0x009d`",
  /^0x[0-9A-Fa-f]{4}(,0x[0-9A-Fa-f]{4}){0,49}$/,
);

export const KEY_HASHES = matching(
  "base64 SHA-256 hashes of public keys, separated by commas",
  /^[A-Za-z0-9+/]{43}=(,[A-Za-z0-9+/]{43}=){0,49}$/,
);

/** A switch value that combines several known settings. */
export function settings(known: Readonly<Record<string, RegExp>>, separator: RegExp, form: string): SwitchValue {
  return {
    form,
    isList: true,
    read(value) {
      const wrong = value.split(separator).find((setting) => {
        const [name = "", ...rest] = setting.split("=");
        return !Object.hasOwn(known, name) || known[name]?.test(rest.join("=")) !== true;
      });
      return wrong === undefined ? { value } : { problem: `expected ${form}, not ${quote(wrong)}` };
    },
  };
}

function matching(form: string, pattern: RegExp, isAllowed: (text: string) => boolean = () => true): SwitchValue {
  return {
    form,
    read(value) {
      return pattern.test(value) && isAllowed(value) ? { value } : { problem: `expected ${form}, not ${quote(value)}` };
    },
  };
}

function within(text: string, least: number, most: number): boolean {
  return Number(text) >= least && Number(text) <= most;
}

/** Quotes a client's text for use in a message, shortened and with unprintable characters escaped. */
export function quote(text: string): string {
  const short = text.length > 60 ? `${text.slice(0, 60)}…` : text;
  return JSON.stringify(short).replace(/[^\x20-\x7e…]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
