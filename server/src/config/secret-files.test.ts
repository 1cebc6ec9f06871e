import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "rbs-secrets-"));
afterAll(() => rmSync(folder, { recursive: true }));

test("a secret can be read from a file that ends with a line break", () => {
  const file = join(folder, "secret");
  writeFileSync(file, "a-secret-of-16-characters\n");
  const names = ["ANTHROPIC_API_KEY", "RBS_METRICS_TOKEN", "RBS_FIRST_ACCOUNT_PASSWORD", "RBS_FIRST_ACCOUNT_TOKEN"];
  const config = readConfig(Object.fromEntries(names.map((name) => [`${name}_FILE`, file])));
  const secret = "a-secret-of-16-characters";
  expect(config).toMatchObject({
    ai: { apiKey: secret },
    metricsToken: secret,
    firstAccount: { email: undefined, password: secret, token: secret },
    files: [file, file, file, file],
  });
  const [proxies, proxy] = [join(folder, "proxies"), { host: "a.example", port: 8080 }];
  writeFileSync(proxies, "http://a.example:8080\nhttp://a.example:8080\n");
  expect(readConfig({ RBS_PROXIES_FILE: proxies }).proxies).toMatchObject([proxy, proxy]);
});

test.each([
  [
    { RBS_METRICS_TOKEN_FILE: "/nowhere" },
    'RBS_METRICS_TOKEN_FILE must be the path of a readable file, not "/nowhere"',
  ],
  [
    { RBS_METRICS_TOKEN_FILE: "/dev/null" },
    'RBS_METRICS_TOKEN_FILE must be the path of a non-empty file, not "/dev/null"',
  ],
  [
    { ANTHROPIC_API_KEY: "canary", ANTHROPIC_API_KEY_FILE: "/dev/null" },
    "ANTHROPIC_API_KEY and ANTHROPIC_API_KEY_FILE are both set. Remove one of them",
  ],
  [
    { RBS_FIRST_ACCOUNT_PASSWORD: "canary" },
    "RBS_FIRST_ACCOUNT_PASSWORD is not accepted. Use at least 12 characters. This password has 6.",
  ],
  [
    { RBS_FIRST_ACCOUNT_TOKEN: "canary" },
    "RBS_FIRST_ACCOUNT_TOKEN must have at least 16 characters: letters, digits and -._~+/ only",
  ],
  [{ RBS_FIRST_ACCOUNT_EMAIL: "anna" }, 'RBS_FIRST_ACCOUNT_EMAIL must be an email address, not "anna"'],
])("%j is refused without repeating secrets", (environment, message) => {
  expect(() => readConfig(environment)).toThrow(message);
  expect(() => readConfig(environment)).not.toThrow("canary");
});
