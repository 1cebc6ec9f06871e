import { expect, test } from "vitest";
import { Secrets } from "../session/secrets.ts";
import { toReportedExchange } from "./reported-exchange.ts";

const TOKEN = "rbs_0123456789abcdef";
const ID = "pQ7vK2mXc9RtY4bN8sWzLh3dFj6gTa1e";

function exchangeOf(body: string | undefined, text: string, authorization = `Bearer ${TOKEN}`) {
  return {
    sent: {
      method: "POST",
      url: `http://127.0.0.1/devtools/browser/${ID}?a=1`,
      headers: { Authorization: authorization },
      body,
    },
    received: { status: 200, headers: { location: `/devtools/browser/${ID}` }, text, json: undefined },
    operation: undefined,
    ...{ startedAt: 0, endedAt: 0 },
  };
}

test("equal secrets get the same placeholder", () => {
  const secrets = new Secrets({ TOKEN });
  secrets.learn({ sessions: [{ vncpass: "k7Rw2xQp" }], password: "k7Rw2xQp", viewPassword: "m3Tz9bVc" });
  const text = `${TOKEN} ws://h/devtools/browser/${ID} "\\"password\\":\\"k7Rw2xQp\\"" /desktop/Hd6sYw1oEiUx3Kc#m3Tz9bVc again ${ID.slice(0, 0)}/devtools/browser/${ID}`;
  expect(secrets.redact(text)).toBe(
    `$TOKEN ws://h/devtools/browser/$BROWSER_1 "\\"password\\":\\"$PASSWORD_1\\"" /desktop/$DESKTOP_1#$PASSWORD_2 again /devtools/browser/$BROWSER_1`,
  );
});

test("addresses of any form are redacted, even with another scheme", () => {
  const secrets = new Secrets({ TOKEN });
  secrets.learn({ address: "wss://w1/session/SECRET" });
  secrets.learn({ rfbUrl: "wss://w1/vnc?key=SECRET2", url: "https://w1/view/SECRET3#pass" });
  const text = "wss://w1/session/SECRET http://w1/session/SECRET wss://w1/vnc?key=SECRET2 https://w1/view/SECRET3#pass";
  expect(secrets.redact(text)).toBe("wss://$BROWSER_1 http://$BROWSER_1 wss://$DESKTOP_1 https://$DESKTOP_2");
});

test("secrets are redacted in JSON, in URLs and inside longer secrets", () => {
  const secrets = new Secrets({ TOKEN });
  secrets.learn({ password: 'a"b%c\\d', viewPassword: 'xa"b%c\\dx' });
  const password = 'a"b%c\\d';
  expect(secrets.redact(JSON.stringify({ password }))).toBe('{"password":"$PASSWORD_1"}');
  expect(secrets.redact(`#${encodeURIComponent(password)} ${encodeURI(password)}`)).toBe("#$PASSWORD_1 $PASSWORD_1");
  expect(secrets.redact(`x${password}x`)).toBe("$PASSWORD_2");
});

test.each(["sessions", "browsers"])("browsers from outside the run are hidden in %s", (list) => {
  const secrets = new Secrets({ TOKEN }, ({ label }) => label === "mine");
  const json = { [list]: [{ label: "mine" }, { label: "Payroll" }] };
  const exchange = exchangeOf(undefined, JSON.stringify(json));
  const shown = toReportedExchange({ ...exchange, received: { ...exchange.received, json } }, secrets);
  expect(shown.received).toBe(`{"${list}":[{"label":"mine"},"… and 1 that this run did not open"]}`);
});

test("a truncated secret is redacted completely", () => {
  const secrets = new Secrets({ TOKEN });
  const shown = toReportedExchange(exchangeOf(`${"x".repeat(1990)}${TOKEN}`, `${"y".repeat(1995)}${TOKEN}`), secrets);
  expect(JSON.stringify(shown)).not.toContain(TOKEN.slice(0, 6));
});

test("shell commands contain only the names of secrets, never their values", () => {
  const secrets = new Secrets({ TOKEN });
  const { curl } = toReportedExchange(
    exchangeOf(`{"$schema":"\`id\`","address":"ws://h/devtools/browser/${ID}"}`, ""),
    secrets,
  );
  expect(curl).toBe(
    'curl -i -X POST "http://127.0.0.1/devtools/browser/$BROWSER_1?a=1" -H "Authorization: Bearer $TOKEN" ' +
      '--data-binary "{\\"\\$schema\\":\\"\\`id\\`\\",\\"address\\":\\"ws://h/devtools/browser/$BROWSER_1\\"}"',
  );
});

test.each([`Bearer ${TOKEN.slice(0, 12)}`, `Bearer ${TOKEN}x`, `Basic ${btoa(TOKEN)}`])("%s is redacted", (other) => {
  const { curl } = toReportedExchange(exchangeOf(undefined, "", other), new Secrets({ TOKEN }));
  expect(curl).toContain('-H "Authorization: $OTHER_CREDENTIALS"');
});
