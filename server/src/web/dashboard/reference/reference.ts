import { html } from "hono/html";
import type { Guards } from "../../kit/guards.ts";
import type { Frame, Html } from "../../kit/layout.ts";

export type ReferenceNeeds = {
  /** Folder of Swagger UI's files, from the root and without a slash before it; it ends with one. */
  readonly swaggerUi: string;
};

const STYLES = [
  "dashboard/reference/reference.css",
  "dashboard/reference/reference-operations.css",
  "dashboard/reference/reference-fields.css",
];

/** The contract as a page, where each operation can be tried on this very server, with a token that stays in the page. */
export function mountReference({ anyone }: Guards, { swaggerUi }: ReferenceNeeds): void {
  anyone.get("/reference", async (context) => {
    const main = renderReference(context.frame, swaggerUi);
    const page = await context.show({ title: "API reference", current: "/reference", main, styles: STYLES });
    const policy = page.headers.get("Content-Security-Policy") ?? "default-src 'none'";
    // Swagger UI's style sheet has its icons in it. That is all it needs: its styles are set by script, which the policy allows.
    page.headers.set("Content-Security-Policy", policy.replace("img-src 'self'", "img-src 'self' data:"));
    return page;
  });
}

/** The last script needs the one before it; both wait for the page. */
function renderReference(frame: Frame, swaggerUi: string): Html {
  const ofSwagger = (name: string): string => frame.to(`/${swaggerUi}${name}`);
  const contract = frame.to("/openapi.json");
  return html`<link rel="stylesheet" href="${ofSwagger("swagger-ui.css")}" />
    <h1>API reference</h1>
    <p class="lead">
      Every operation, to read and to try on this server: “Authorize” takes a token of yours, which stays in this page:
      ${
        frame.member
          ? html`<a href="${frame.to("/dashboard/tokens")}">make one under Tokens</a>`
          : html`<a href="${frame.to("/sign-in")}">sign in</a> and make one under Tokens`
      }.
      Its contract: <a href="${contract}">openapi.json</a>.
    </p>
    <p id="reference-state" class="notice" role="status">Loading the contract…</p>
    <noscript><p class="notice bad">This page needs JavaScript; the contract itself does not.</p></noscript>
    <div id="reference" data-contract="${contract}"></div>
    <script defer src="${ofSwagger("swagger-ui-bundle.js")}"></script>
    <script type="module" src="${frame.asset("dashboard/reference/reference.js")}"></script>`;
}
