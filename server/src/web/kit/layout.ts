import { html } from "hono/html";
import type { Account } from "../../domain/account/account.ts";
import { TOKEN_FIELD } from "./form-token.ts";

/** Markup in which all values are escaped. */
export type Html = ReturnType<typeof html>;

/** Values that depend on the request: links, the user and their form token. */
export type Frame = {
  /** Returns the URL of a path on this site, including the public URL's path prefix. */
  to(path: string): string;
  /** Returns the URL of a script, style sheet or image. */
  asset(name: string): string;
  /** The signed-in user and their form token. */
  readonly user: { readonly account: Account; readonly formToken: string } | undefined;
  readonly isSignUpOpen: boolean;
};

export type Page = {
  readonly title: string;
  /** Path of the page's navigation entry. */
  readonly current?: string;
  readonly main: Html;
  /** Additional module scripts and style sheets. */
  readonly scripts?: readonly string[];
  readonly styles?: readonly string[];
  /** An image source that the page allows, besides this server. */
  readonly images?: "blob:" | "data:";
};

const SHEETS = [
  "kit/static/colours.css",
  "kit/static/frame.css",
  "kit/static/components.css",
  "kit/static/stacked.css",
  "kit/static/controls.css",
];

const ENTRIES = [
  ["/dashboard", "Browsers"],
  ["/dashboard/history", "History"],
  ["/dashboard/usage", "Usage"],
  ["/dashboard/tokens", "Tokens"],
  ["/dashboard/quick-start", "Quick start"],
  ["/reference", "API reference"],
  ["/dashboard/settings", "Settings"],
] as const;

export function renderPage(frame: Frame, { title, current, main, scripts = [], styles = [] }: Page): Html {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${title} · Remote Browser Service</title>
        <link rel="icon" href="${frame.asset("kit/static/icon.svg")}" type="image/svg+xml" />
        ${[...SHEETS, ...styles].map((name) => html`<link rel="stylesheet" href="${frame.asset(name)}" />`)}
        <script type="module" src="${frame.asset("kit/static/page.js")}"></script>
        ${scripts.map((name) => html`<script type="module" src="${frame.asset(name)}"></script>`)}
      </head>
      <body class="${frame.user ? "signed-in" : "signed-out"}">
        <a class="skip" href="#main">Skip to content</a>
        <header class="bar">
          <a class="brand" href="${frame.to("/")}">
            <img src="${frame.asset("kit/static/icon.svg")}" alt="" width="28" height="28" />
            <span>Remote Browser Service</span>
          </a>
          ${frame.user ? renderUser(frame, frame.user) : renderEntry(frame)}
        </header>
        ${frame.user ? renderNavigation(frame, frame.user.account, current) : ""}
        <main id="main" tabindex="-1">${main}</main>
      </body>
    </html>`;
}

/** Renders a form with the session's token, so that other sites can't submit it. @param path The form's action. */
export function renderForm(
  frame: Frame,
  path: string,
  content: Html,
  { className = "", isNewTab = false }: { readonly className?: string; readonly isNewTab?: boolean } = {},
): Html {
  const token = frame.user?.formToken;
  return html`<form
    method="post"
    action="${frame.to(path)}"
    class="${className}"
    ${isNewTab ? html`target="_blank"` : ""}
  >
    ${token === undefined ? "" : html`<input type="hidden" name="${TOKEN_FIELD}" value="${token}" />`} ${content}
  </form>`;
}

function renderEntry(frame: Frame): Html {
  return html`<nav class="entry" aria-label="Account">
    <a href="${frame.to("/reference")}">API reference</a>
    <a href="${frame.to("/sign-in")}">Sign in</a>
    ${frame.isSignUpOpen ? html`<a class="button primary" href="${frame.to("/sign-up")}">Sign up</a>` : ""}
  </nav>`;
}

function renderUser(frame: Frame, { account }: { readonly account: Account }): Html {
  const signOut = html`<button type="submit" class="quiet">Sign out</button>`;
  return html`<div class="member">
    <span class="email" title="Signed in">${account.email}</span>
    ${renderForm(frame, "/sign-out", signOut)}
  </div>`;
}

function renderNavigation(frame: Frame, account: Account, current: string | undefined): Html {
  const entries = account.isOperator ? [...ENTRIES, ["/operator", "Operator"] as const] : ENTRIES;
  return html`<nav class="side" aria-label="Dashboard">
    <ul>
      ${entries.map(
        ([path, name]) =>
          html`<li>
            <a href="${frame.to(path)}" ${path === current ? html`aria-current="page"` : ""}>${name}</a>
          </li>`,
      )}
    </ul>
  </nav>`;
}
