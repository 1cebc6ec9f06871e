// Starts Swagger UI with this server's contract. Swagger UI's own script has set `globalThis.SwaggerUIBundle`.

import { find, read } from "../../kit/static/find.js";
import { addMissingNames } from "./reference-names.js";
import { asGuide, asPlainText, asShortRefusals } from "./reference-parts.js";

const place = find("reference", HTMLElement);
const state = find("reference-state", HTMLElement);

followColours();
addMissingNames(place);
try {
  start(await readContract(new URL(read(place, "contract"), document.baseURI)));
  state.hidden = true;
} catch (error) {
  const reason = error instanceof Error ? error.message : String(error);
  state.className = "notice bad";
  state.textContent = `The API reference could not be loaded. Reload the page to try again. Reason: ${reason}`;
}

/**
 * @param {URL} url
 * @returns {Promise<object>}
 */
async function readContract(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname} returned ${answer.status}.`);
  return answer.json();
}

/** @param {object} contract */
function start(contract) {
  const { SwaggerUIBundle } = /** @type {{ SwaggerUIBundle?: (options: object) => unknown }} */ (globalThis);
  if (SwaggerUIBundle === undefined) throw new Error("Swagger UI is missing.");
  // The contract lists an example server. Requests must go to this server, below this page's base URL.
  const url = new URL(".", document.baseURI).href.replace(/\/$/, "");
  SwaggerUIBundle({
    domNode: place,
    spec: { ...withoutExampleKeys(contract), servers: [{ url, description: "This server" }] },
    plugins: [asGuide, asPlainText, asShortRefusals],
    // By default, Swagger UI loads a validator badge from swagger.io.
    validatorUrl: null,
    deepLinking: true,
    // Leaving the page discards the token.
    persistAuthorization: false,
    tryItOutEnabled: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    requestSnippetsEnabled: true,
    requestSnippets: { languages: ["curl_bash"] },
  });
}

/**
 * Removes the Idempotency-Key example. Swagger UI prefills examples, so a second request with the same key would return
 * the first request's browser.
 * @param {object} contract
 * @returns {object}
 */
function withoutExampleKeys(contract) {
  const isKey = (/** @type {unknown} */ value) =>
    typeof value === "object" && value !== null && "name" in value && value.name === "Idempotency-Key";
  return JSON.parse(JSON.stringify(contract), (_, value) => (isKey(value) ? { ...value, example: undefined } : value));
}

/** Swagger UI has a dark mode, but doesn't follow the system setting. */
function followColours() {
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", follow);
  follow();
}
