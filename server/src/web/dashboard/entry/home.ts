import { html } from "hono/html";
import type { Guards } from "../../kit/guards.ts";
import type { Frame, Html } from "../../kit/layout.ts";

/** What a person sees who opens the server's address: what this is, and where to go from here. */
export function mountHome({ anyone }: Guards): void {
  anyone.get("/", (context) => context.show({ title: "Real browsers over HTTP", main: renderHome(context.frame) }));
}

function renderHome(frame: Frame): Html {
  return html`<section class="hero">
    <h1>Real browsers, opened over HTTP</h1>
    <p class="lead">
      Ask for a browser and get an address: Puppeteer, Playwright, Selenium and every client of the DevTools protocol
      connect to it. Each one runs in a jail of its own, and you can watch its screen.
    </p>
    <p class="actions">
      ${
        frame.member
          ? html`<a class="button primary" href="${frame.to("/dashboard")}">Go to your browsers</a>`
          : html`<a class="button primary" href="${frame.to("/sign-in")}">Sign in</a>
              ${frame.isSignUpOpen ? html`<a class="button" href="${frame.to("/sign-up")}">Sign up</a>` : ""}`
      }
      <a class="button" href="${frame.to("/reference")}">API reference</a>
    </p>
    <p class="fine">
      The contract: <a href="${frame.to("/openapi.json")}">openapi.json</a>. Is it alive:
      <a href="${frame.to("/healthz")}">healthz</a>. Can it open a browser: <a href="${frame.to("/readyz")}">readyz</a>.
    </p>
  </section>`;
}
