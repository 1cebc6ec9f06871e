import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { WEB_PORTS } from "../domain/network/egress-rules.ts";
import { ConfigError, readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "rbs-config-"));
afterAll(() => rmSync(folder, { recursive: true }));

function planFile(content: unknown): string {
  const file = join(folder, "plans.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test("by default, the server listens only on this machine, and browsers can reach only public addresses", () => {
  expect(readConfig({ PATH: "/bin" })).toMatchObject({
    host: "127.0.0.1",
    port: 8080,
    publicUrl: undefined,
    egress: { policy: "public", denied: [], domains: [], ports: WEB_PORTS },
    isolation: "sandbox",
    rate: undefined,
    drainMs: 0,
  });
});

test("by default, the machine's resources limit the number of open browsers, and its cores limit simultaneous starts", () => {
  expect(readConfig({})).toMatchObject({ capacity: undefined, launches: expect.any(Number) });
  expect(readConfig({ RBS_CAPACITY: "5", RBS_LAUNCHES: "3" })).toMatchObject({ capacity: 5, launches: 3 });
  expect(() => readConfig({ RBS_LAUNCHES: "0" })).toThrow(
    'RBS_LAUNCHES must be a whole number from 1 to 1000, not "0"',
  );
});

test("an empty value counts as unset", () => {
  expect(readConfig({ RBS_PORT: "", RBS_PUBLIC_URL: "" })).toMatchObject({ port: 8080, publicUrl: undefined });
});

test("client settings in the environment are accepted", () => {
  const ofClients = { RBS_URL: "http://127.0.0.1:8080", RBS_TOKEN: "rbs_x", RBS_TOKEN_NO_UNITS: "rbs_y" };
  expect(readConfig(ofClients).port).toBe(8080);
  expect(() => readConfig({ RBS_TOKENS: "rbs_x" })).toThrow("RBS_TOKENS");
});

test("every mistake is reported, including unknown names", () => {
  const wrong = {
    RBS_PROT: "8080",
    RBS_PORT: "eighty",
    RBS_PUBLIC_URL: "browsers.example",
    RBS_EGRESS: "private",
    RBS_EGRESS_DENY: "10.0.0.0/33",
    RBS_EGRESS_PORTS: "80-79",
    RBS_EGRESS_DOMAINS: "!",
    RBS_ORIGINS: "https://a.example, b.example",
    RBS_RATE: "100",
    RBS_PLANS: "/nowhere/plans.json",
  };
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(name);
});

test("a message names the setting, the allowed values and the given value", () => {
  expect(() => readConfig({ RBS_PORT: "99999" })).toThrow(
    'RBS_PORT must be a whole number from 0 to 65535, not "99999"',
  );
  expect(() => readConfig({ RBS_ORIGINS: "foo" })).toThrow(/^RBS_ORIGINS must be origins .*, not "foo"$/);
});

test("the provider's key and address are read from their usual environment variables", () => {
  expect(readConfig({}).ai).toEqual({
    apiKey: undefined,
    baseUrl: undefined,
    model: "claude-haiku-5-5",
    timeoutMs: 120_000,
    maxInputChars: 250_000,
    maxOutputTokens: 16_384,
    parallel: 16,
    accountParallel: 8,
    tokensPerDay: undefined,
    accountTokensPerDay: undefined,
  });
  const given = { ANTHROPIC_API_KEY: "key", ANTHROPIC_BASE_URL: "http://127.0.0.1:1/x", RBS_AI_TIMEOUT_S: "0.5e1" };
  const { apiKey, baseUrl, timeoutMs } = readConfig(given).ai;
  expect([apiKey, baseUrl?.href, timeoutMs]).toEqual(["key", "http://127.0.0.1:1/x", 5000]);
});

test("messages about settings that may contain secrets don't repeat the value", () => {
  const wrong = { ANTHROPIC_API_KEY: "canary key", ANTHROPIC_BASE_URL: "ftp://canary@x" };
  for (const name of Object.keys(wrong)) expect(() => readConfig(wrong)).toThrow(name);
  expect(() => readConfig(wrong)).not.toThrow("canary");
});

test.each([
  "https://a.example/?canary=1",
  "https://canary:x@a.example",
  "https://:canary@a.example",
  "https://a.example/#",
])("a base URL with a query, a fragment or credentials is rejected: %s", (value) => {
  const message = "must not contain a query string, fragment, user name or password";
  expect(() => readConfig({ ANTHROPIC_BASE_URL: value })).toThrow(new ConfigError(`ANTHROPIC_BASE_URL ${message}`));
  expect(() => readConfig({ RBS_PUBLIC_URL: value })).toThrow(`RBS_PUBLIC_URL ${message}`);
});

test("AI Query calls its provider over HTTPS, unless the provider runs on this machine", () => {
  expect(() => readConfig({ ANTHROPIC_BASE_URL: "http://models.example" })).toThrow("must begin with https://");
  for (const value of ["https://models.example", "http://localhost:1/x", "http://[::1]:1"])
    expect(readConfig({ ANTHROPIC_BASE_URL: value }).ai.baseUrl?.href).toContain(value);
});

test.each(["RBS_AI_TIMEOUT_S", "RBS_AI_MAX_INPUT_CHARS", "RBS_AI_MAX_OUTPUT_TOKENS", "RBS_AI_PARALLEL"])(
  "%s must be a number within its limits",
  (name) => {
    for (const value of ["0", "-1", "x", "99999999999"]) {
      expect(() => readConfig({ [name]: value })).toThrow(new RegExp(`^${name} must be .*, not "${value}"$`));
    }
  },
);

test("a public URL keeps its path and can't have a query", () => {
  expect(readConfig({ RBS_PUBLIC_URL: "https://example.com/eu" }).publicUrl?.href).toBe("https://example.com/eu");
  expect(() => readConfig({ RBS_PUBLIC_URL: "https://example.com/?a=1" })).toThrow(/query string/);
});

test.each([
  "https://x//evil.example",
  "https://x/\\evil.example",
  "https://x/eu//",
  "https://x/%65u",
  "https://h/ü",
  "https://h/a b",
])("a public URL whose path can't be used in links is rejected: %s", (value) => {
  const message = "must have a path without // or percent-encoded characters, not";
  expect(() => readConfig({ RBS_PUBLIC_URL: value })).toThrow(`RBS_PUBLIC_URL ${message} ${JSON.stringify(value)}`);
  expect(readConfig({ ANTHROPIC_BASE_URL: value }).ai.baseUrl?.href).toBe(new URL(value).href);
});

test("plans from a file are added to the built-in plan", () => {
  const RBS_PLANS = planFile({
    starter: { parallel: 2, unitsPerMonth: 100, maxLifetimeMinutes: 1.5, memoryMb: 1024, aiKey: true },
    open: {},
  });
  const { plans } = readConfig({ RBS_PLANS });
  expect([...plans.keys()]).toEqual(["self-hosted", "starter", "open"]);
  expect(plans.get("starter")).toEqual({
    name: "starter",
    parallel: 2,
    unitsPerMonth: 100,
    maxLifetimeMs: 90_000,
    memoryBytes: 2 ** 30,
    hasWebGl: true,
    hasAiKey: true,
    isSelfService: false,
  });
  expect(() => readConfig({ RBS_PLANS: planFile({ tiny: { memoryMb: 511 } }) })).toThrow("512 or more");
});

/** Returns the names of the plans that users can choose. */
function selfService(environment: Record<string, string>): string[] {
  const { plans } = readConfig(environment);
  return [...plans.values()].filter(({ isSelfService }) => isSelfService).map(({ name }) => name);
}

test("users can choose plans marked selfService; a local server without such plans offers the built-in plan", () => {
  const marked = planFile({ starter: { selfService: true }, big: { selfService: false } });
  expect(selfService({ RBS_PLANS: marked })).toEqual(["starter"]);
  expect(selfService({ RBS_PLANS: marked, RBS_HOST: "0.0.0.0" })).toEqual(["starter"]);
  const unmarked = planFile({ starter: {} });
  expect(selfService({ RBS_PLANS: unmarked })).toEqual(["self-hosted"]);
  expect(selfService({ RBS_PLANS: unmarked, RBS_HOST: "0.0.0.0" })).toEqual([]);
  expect(selfService({})).toEqual(["self-hosted"]);
  expect(selfService({ RBS_SIGNUP: "closed" })).toEqual(["self-hosted"]);
  expect(selfService({ RBS_PUBLIC_URL: "https://browsers.example" })).toEqual([]);
});

test.each([
  [{}, "open"],
  [{ RBS_HOST: "localhost" }, "open"],
  [{ RBS_HOST: "::1" }, "open"],
  [{ RBS_HOST: "0.0.0.0" }, "closed"],
  [{ RBS_HOST: "192.0.2.1" }, "closed"],
  [{ RBS_PUBLIC_URL: "http://127.0.0.1" }, "closed"],
  [{ RBS_TRUSTED_PROXIES: "127.0.0.1" }, "closed"],
  [{ RBS_HOST: "0.0.0.0", RBS_SIGNUP: "open" }, "open"],
  [{ RBS_SIGNUP: "closed" }, "closed"],
])("with %j, sign-up is %s", (environment, signUp) => {
  expect(readConfig(environment).signUp).toBe(signUp);
});

test("sign-up must be open or closed", () => {
  expect(() => readConfig({ RBS_SIGNUP: "yes" })).toThrow(
    new ConfigError('RBS_SIGNUP must be open or closed, not "yes"'),
  );
});

test("isolation is none or sandbox, and sandbox's former name is also accepted", () => {
  expect(readConfig({ RBS_ISOLATION: "sandbox" }).isolation).toBe("sandbox");
  expect(readConfig({ RBS_ISOLATION: "jail" }).isolation).toBe("sandbox");
  expect(readConfig({ RBS_ISOLATION: "none" }).isolation).toBe("none");
  expect(() => readConfig({ RBS_ISOLATION: "off" })).toThrow('RBS_ISOLATION must be sandbox or none, not "off"');
});

test("the list of trusted proxies contains addresses and ranges, and is empty by default", () => {
  expect(readConfig({}).trustedProxies).toEqual([]);
  const { trustedProxies } = readConfig({ RBS_TRUSTED_PROXIES: " 10.0.0.0/8, ::ffff:192.0.2.1 ,fd00::1," });
  expect(trustedProxies.map(([address, bits]) => `${address.toString()}/${bits}`)).toEqual([
    "10.0.0.0/8",
    "192.0.2.1/32",
    "fd00::1/128",
  ]);
});

test("every mistake in the trusted proxies is reported with its value", () => {
  expect(() => readConfig({ RBS_TRUSTED_PROXIES: "10.0.0.0/33, 10.0.0.1, proxy.example", RBS_PORT: "eighty" })).toThrow(
    new ConfigError(
      [
        'RBS_PORT must be a whole number from 0 to 65535, not "eighty"',
        'RBS_TRUSTED_PROXIES: "10.0.0.0/33" is neither an IP address nor a CIDR range such as 10.0.0.0/8',
        'RBS_TRUSTED_PROXIES: "proxy.example" is neither an IP address nor a CIDR range such as 10.0.0.0/8',
      ].join("\n"),
    ),
  );
  expect(() => readConfig({ RBS_TRUSTED_PROXIES: " ," })).toThrow(
    'RBS_TRUSTED_PROXIES must contain an address, not " ,"',
  );
});

test.each([
  [{ "self-hosted": {} }, /RBS_PLANS: self-hosted is a reserved plan name/],
  [{ starter: { paralel: 2 } }, /RBS_PLANS: starter has unknown options: paralel/],
  [{ starter: { parallel: 0 } }, /RBS_PLANS: starter: parallel must be a whole number, 1 or more/],
  [{ starter: { selfService: "yes" } }, /RBS_PLANS: starter: selfService must be true or false/],
  [{ starter: { parallel: 1.5 } }, /starter: parallel must be a whole number, 1 or more$/],
  [{ starter: { unitsPerMonth: 1e300 } }, /starter: unitsPerMonth must be a whole number, 0 or more$/],
  [{ starter: { maxLifetimeMinutes: 0 } }, /starter: maxLifetimeMinutes must be a number of minutes greater than 0$/],
  [{ starter: 3 }, /starter must be an object$/],
  [[{}], /RBS_PLANS must be the path of a JSON file with an object of plans, not ".*plans.json"$/],
  [{ "a b": {} }, /RBS_PLANS: a b is not a plan name/],
])("the plans %j are rejected", (content, message) => {
  expect(() => readConfig({ RBS_PLANS: planFile(content) })).toThrow(message);
});

test("proxies can be a list, or a file with one proxy per line and comments", () => {
  const http = { scheme: "http", host: "a.example", port: 8080, credentials: { username: "ann", password: "p#,ss" } };
  const socks = { scheme: "socks5", host: "10.0.0.2", port: 1080, credentials: undefined };
  expect(readConfig({}).proxies).toEqual([]);
  const RBS_PROXIES = " http://ann:p#%2Css@a.example:8080, socks5://10.0.0.2:1080,";
  expect(readConfig({ RBS_PROXIES }).proxies).toEqual([http, socks]);
  const file = join(folder, "proxies.txt");
  writeFileSync(file, "# Ours\r\nhttp://ann:p#,ss@a.example:8080 # the first\r\n\r\n\tsocks5://10.0.0.2:1080");
  expect(readConfig({ RBS_PROXIES: file }).proxies).toEqual([http, socks]);
});

test("every mistake in the proxies is reported with its location, without repeating the proxy", () => {
  const secrets = /ann|s3cret|hidden|nowhere/;
  const file = join(folder, "wrong-proxies.txt");
  writeFileSync(file, "# Ours\nhidden:s3cret\nhttp://good.example:1\nhttp://ann:s3cret@hidden:0\n");
  const empty = join(folder, "no-proxies.txt");
  writeFileSync(empty, "# None yet\n");
  for (const [RBS_PROXIES, ...expected] of [
    [file, "RBS_PROXIES: line 2 must begin", "RBS_PROXIES: line 4 must end in a host and a port"],
    ["http://ann:s3cret@hidden:80/x,ann:s3cret@hidden:80", "proxy 1 must end", "proxy 2 must begin"],
    ["ann:s3cret@nowhere:80", "RBS_PROXIES must be a list of proxy URLs or the path of a readable file"],
    [empty, "RBS_PROXIES must contain a proxy"],
    ["/", "or the path of a readable file"],
  ] as [string, ...string[]][]) {
    let message = "";
    try {
      readConfig({ RBS_PROXIES, RBS_PORT: "eighty" });
    } catch (error) {
      ({ message } = error as Error);
    }
    for (const part of [...expected, "RBS_PORT"]) expect(message).toContain(part);
    expect(message).not.toMatch(secrets);
  }
});

test("a metrics token that is too short is rejected, and the message doesn't repeat it", () => {
  expect(readConfig({ RBS_METRICS_TOKEN: "0123456789abcdef" }).metricsToken).toBe("0123456789abcdef");
  expect(() => readConfig({ RBS_METRICS_TOKEN: "hunter2" })).toThrow(
    new ConfigError("RBS_METRICS_TOKEN must have 16 or more characters and no spaces"),
  );
});
