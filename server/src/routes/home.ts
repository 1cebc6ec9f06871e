import { operations } from "@remote-browser/contract/operations";
import type { ServiceApp } from "../http/service.ts";

const ROWS = Object.values(operations)
  .map(({ method, path }) => `<tr><td>${method.toUpperCase()}</td><td><code>${path}</code></td></tr>`)
  .join("");

const PAGE = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Remote Browser Service</title>
<style>
  :root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
  body { max-width: 42rem; margin: 3rem auto; padding: 0 1rem; }
  td { padding: 0.1rem 1rem 0.1rem 0; }
</style>
<h1>Remote Browser Service</h1>
<p>This server opens real browsers over HTTP. Its operations, each with the account's token in
<code>Authorization: Bearer …</code>:</p>
<table>${ROWS}</table>
<p>The contract in full: <a href="openapi.json">openapi.json</a>.
Whether it is alive: <a href="healthz">healthz</a>. Whether it can open a browser: <a href="readyz">readyz</a>.</p>
</html>
`;

/** What a person sees who opens the server's address: where to go from here. */
export function mountHome(app: ServiceApp): void {
  app.get("/", (c) => {
    c.header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'");
    return c.html(PAGE);
  });
}
