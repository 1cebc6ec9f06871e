// Starts Swagger UI, which its own script has put on `globalThis`, with the contract of the server the page comes from.

import { find, read } from "../../kit/find.js";
import { keepNamed } from "./reference-names.js";
import { asGuide, asPlainText, asShortRefusals } from "./reference-parts.js";

const place = find("reference", HTMLElement);
const state = find("reference-state", HTMLElement);

followColours();
keepNamed(place);
try {
  start(await readContract(new URL(read(place, "contract"), document.baseURI)));
  state.hidden = true;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  state.className = "notice bad";
  state.textContent = `The contract can't be shown: ${reason} Reload the page to try again.`;
}

/**
 * @param {URL} url
 * @returns {Promise<object>}
 */
async function readContract(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname} answered ${answer.status}.`);
  return answer.json();
}

/** @param {object} contract */
function start(contract) {
  const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle?: (options: object) => unknown }} */ (globalThis);
  if (SwaggerUIBundle === undefined) throw new Error("Swagger UI did not arrive.");
  // The contract names an example of a server. Calls go to this one, path and all, as this browser reaches it.
  const url = new URL(".", document.baseURI).href.replace(/\/$/, "");
  SwaggerUIBundle({
    domNode: place,
    spec: { ...contract, servers: [{ url, description: "This server" }] },
    plugins: [asGuide, asPlainText, asShortRefusals],
    // Its default asks swagger.io for a badge.
    validatorUrl: null,
    deepLinking: true,
    // The token goes with the page.
    persistAuthorization: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    requestSnippetsEnabled: true,
    requestSnippets: { languages: ["curl_bash"] },
  });
}

/** Swagger UI has colours for the dark, but does not ask whether it is. */
function followColours() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}
