import type { ReportedExchange } from "./verdict.ts";
import type { Exchange } from "../target/exchange.ts";
import { type Secrets, unmark } from "../session/secrets.ts";

const MAX_SHOWN = 2000;
/** Replaces altered tokens, which still contain most of the real token. */
const OTHER_CREDENTIALS = "$OTHER_CREDENTIALS";

/** Converts an exchange for a report: removes secrets and shortens long text. */
export function toReportedExchange({ sent, received }: Exchange, secrets: Secrets): ReportedExchange {
  const { pathname, search } = new URL(sent.url);
  // Redact first: a truncated secret would not be recognized.
  const show = (text: string): string => shorten(secrets.redact(text));
  return {
    request: `${sent.method} ${show(pathname + search)}`,
    sent: sent.body === undefined ? null : show(sent.body),
    status: received.status,
    headers: Object.fromEntries(Object.entries(received.headers).map(([name, value]) => [name, show(value)])),
    received: show(secrets.withoutForeign(received.text, received.json)),
    curl: toCurl(sent, secrets),
  };
}

/** Writes a curl command for a shell in which `$TOKEN` and the other variables are set. */
function toCurl({ method, url, headers, body }: Exchange["sent"], secrets: Secrets): string {
  const write = (text: string): string => unmark(quote(shorten(secrets.mark(text))));
  const parts = [`curl -i -X ${method} ${write(url)}`];
  for (const [name, value] of Object.entries(headers)) {
    const isOther = name.toLowerCase() === "authorization" && !isWhole(secrets.redact(value));
    parts.push(`-H ${isOther ? `"${name}: ${OTHER_CREDENTIALS}"` : write(`${name}: ${value}`)}`);
  }
  if (body !== undefined) parts.push(`--data-binary ${write(body)}`);
  return parts.join(" ");
}

function isWhole(credentials: string): boolean {
  return /^Bearer \$TOKEN\w*$/.test(credentials);
}

/** Quotes text so that the shell expands only the variables. */
function quote(text: string): string {
  return `"${text.replaceAll(/[\\"`$]/g, "\\$&")}"`;
}

function shorten(text: string): string {
  return text.length <= MAX_SHOWN ? text : `${text.slice(0, MAX_SHOWN)}… (${text.length} characters)`;
}
