import { html } from "hono/html";
import type { Guards } from "../../kit/guards.ts";
import type { Frame, Html } from "../../kit/layout.ts";
import type { PageServices } from "../../kit/page-services.ts";

const STYLES = [
  "dashboard/reference/reference.css",
  "dashboard/reference/reference-operations.css",
  "dashboard/reference/reference-fields.css",
];

/**
 * Mounts the API reference, where users can try each operation on this server. The page doesn't store entered tokens.
 */
export function mountReference({ anyone }: Guards, { swaggerUi }: PageServices): void {
  anyone.get("/reference", (context) => {
    // Swagger UI's style sheet contains its icons.
    return context.show({
      title: "API reference",
      current: "/reference",
      main: renderReference(context.frame, swaggerUi),
      styles: STYLES,
      images: "data:",
    });
  });
}

/** The last script depends on Swagger UI's script. Both scripts run after the page is parsed. */
function renderReference(frame: Frame, swaggerUi: string): Html {
  const ofSwagger = (name: string): string => frame.to(`/${swaggerUi}${name}`);
  const contract = frame.to("/openapi.json");
  return html`<link rel="stylesheet" href="${ofSwagger("swagger-ui.css")}" />
    <h1>API reference</h1>
    <p class="lead">
      Read about each operation and try it on this server. Select “Authorize” and enter a token. It stays on this page.
      ${
        frame.user
          ? html`You can <a href="${frame.to("/dashboard/tokens")}">create one under Tokens</a>.`
          : html`To create one, <a href="${frame.to("/sign-in")}">sign in</a> and go to Tokens.`
      }
      The OpenAPI document: <a href="${contract}">openapi.json</a>.
    </p>
    <p id="reference-state" class="notice" role="status">Loading the API reference…</p>
    <noscript><p class="notice bad">This page needs JavaScript. You can read openapi.json without it.</p></noscript>
    <div id="reference" data-contract="${contract}"></div>
    <script defer src="${ofSwagger("swagger-ui-bundle.js")}"></script>
    <script type="module" src="${frame.asset("dashboard/reference/reference.js")}"></script>`;
}
