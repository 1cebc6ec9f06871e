import { html } from "hono/html";
import type { Guards } from "../../kit/guards.ts";
import type { Frame, Html } from "../../kit/layout.ts";

/** The start page. */
export function mountHome({ anyone }: Guards): void {
  anyone.get("/", (context) => context.show({ title: "Real browsers over HTTP", main: renderHome(context.frame) }));
}

function renderHome(frame: Frame): Html {
  return html`<section class="stack hero">
    <h1>Real browsers over HTTP</h1>
    <p class="lead">
      Open a browser with one HTTP call and get its address. Connect to it with Puppeteer, Playwright, Selenium or any
      other DevTools client. Each browser runs in its own sandbox, and you can watch its screen.
    </p>
    <p class="actions">
      ${
        frame.user
          ? html`<a class="button primary" href="${frame.to("/dashboard")}">Go to your browsers</a>`
          : html`<a class="button primary" href="${frame.to("/sign-in")}">Sign in</a>
              ${frame.isSignUpOpen ? html`<a class="button" href="${frame.to("/sign-up")}">Sign up</a>` : ""}`
      }
      <a class="button" href="${frame.to("/reference")}">API reference</a>
    </p>
    <p class="fine">
      API contract: <a href="${frame.to("/openapi.json")}">openapi.json</a>. Health check:
      <a href="${frame.to("/healthz")}">healthz</a>. Readiness check: <a href="${frame.to("/readyz")}">readyz</a>.
    </p>
  </section>`;
}
