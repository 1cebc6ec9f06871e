import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import { type Options, readOptions } from "./options.ts";

const NEEDED = ["--base-url", "http://127.0.0.1:8080/", "--token", "rbs_x"];

function read(...given: Parameters<typeof readOptions>): Options {
  const options = readOptions(...given);
  if (typeof options === "string") throw new Error("The arguments only request the help text.");
  return options;
}

test("the defaults are suitable for a deployment in production", () => {
  const options = read(NEEDED, {});
  expect(options.run).toMatchObject({
    ...{ baseUrl: "http://127.0.0.1:8080", token: "rbs_x", tokens: {}, profile: "deploy" },
    ...{ seed: 1, rate: 10, parallel: 3, unitsLeft: undefined },
  });
  expect(options.run.labelPrefix).toMatch(/^conformance-[0-9a-f]{8}$/);
  expect(options.fuzzer.how).toBe("auto");
});

test("the contract version defaults to the deployment's version", () => {
  expect(read(NEEDED, {}).contract).toBeUndefined();
  expect(read([...NEEDED, "--contract", "1.0"], {}).contract).toBe("1.0");
  expect(() => readOptions([...NEEDED, "--contract", "0.9"], {})).toThrow("--contract 0.9 is unknown");
});

test("URL and tokens can come from the environment, and the command line takes precedence", () => {
  const env = { RBS_URL: "https://a.example/eu", RBS_TOKEN: "one", RBS_TOKEN_NO_UNITS: "two", RBS_TOKEN_LIMITED: "" };
  expect(read([], env).run).toMatchObject({
    ...{ baseUrl: "https://a.example/eu", token: "one", tokens: { "no-units": "two" } },
  });
  expect(read(NEEDED, env).run).toMatchObject({ baseUrl: "http://127.0.0.1:8080", token: "rbs_x" });
});

test("a token can come from standard input", () => {
  const args = [...NEEDED.slice(0, -1), "-"];
  expect(read(args, { RBS_TOKEN: "other" }, () => "rbs_y\n").run.token).toBe("rbs_y");
});

test("every mistake is reported with the invalid value", () => {
  const wrong = [
    "--base-url",
    "ftp://x",
    "--profile",
    "big",
    "--capability",
    "fast",
    "--rule",
    "RBS-OPENED",
    "--seed=-1",
  ];
  const readWrong = (): unknown => readOptions(wrong, {});
  expect(readWrong).toThrow(ConfigError);
  for (const word of ["ftp://x", "--token is missing", "big", "fast", "RBS-OPENED", "--seed"])
    expect(readWrong).toThrow(word);
});

test.each([
  ["credentials", "http://a:b@127.0.0.1/", "credentials"],
  ["a query", "http://127.0.0.1/?a=1", "query"],
  ["a relative URL", "127.0.0.1", "is not an http"],
])("a base URL with %s is rejected", (_, url, word) => {
  expect(() => readOptions(["--base-url", url, "--token", "x"], {})).toThrow(word);
});

test("the site is an http:// URL without a path", () => {
  expect(read([...NEEDED, "--site", "http://192.0.2.7:9000/"], {}).run.site).toBe("http://192.0.2.7:9000");
  for (const wrong of ["https://192.0.2.7", "http://192.0.2.7/page", "192.0.2.7:9000"]) {
    expect(() => readOptions([...NEEDED, "--site", wrong], {})).toThrow(`--site ${wrong} is not an http:// URL`);
  }
});

test("unknown options and options without a value are rejected", () => {
  expect(() => readOptions([...NEEDED, "--fast"], {})).toThrow("--fast");
  expect(() => readOptions([...NEEDED, "--seed"], {})).toThrow("--seed");
});

test("a dry run does not need a URL or a token", () => {
  expect(read(["--dry-run"], {}).isDryRun).toBe(true);
});

test("tokens must belong to different accounts and be valid in an HTTP header", () => {
  const same = [...NEEDED, "--token-limited", "a", "--token-few-units", "a", "--token-no-units", "rbs_x"];
  expect(() => readOptions(same, {})).toThrow("--token-limited gives the same token as --token-few-units");
  expect(() => readOptions(same, {})).toThrow("--token-no-units gives the same token as --token:");
  expect(() => readOptions([...NEEDED, "--token-limited", "ä"], {})).toThrow("--token-limited contains characters");
});

test("--help and --version return text instead of options", () => {
  expect(readOptions(["--help"], {})).toMatch(/^npm run conformance .*--base-url URL/s);
  expect(readOptions(["--version", "--seed", "x"], {})).toMatch(/^\d+\.\d+\.\d+\n$/);
});
