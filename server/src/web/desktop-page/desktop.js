import { shareClipboard } from "./clipboard.js";
import { holdKeys } from "./key-buttons.js";
import { readFragment, toFragment, toRfbUrl } from "./link.js";
import { RETRY_DELAYS_MS } from "./outcome.js";
import { openSession } from "./session.js";
import { listenToField } from "./touch-keyboard.js";
import { closePanels, elements, show } from "./view.js";

/** @typedef {import("./session.js").Session} Session */

const { screen, badge, passwordForm, password, viewOnly, again, fullscreen, keyboard, field } = elements;

// The fragment stays in the address bar for reloads and bookmarks. The password is valid only until the desktop stops.
let credentials = readFragment(location.hash);
/** @type {Session | undefined} The session on screen. */
let current;
/** Attempts to reconnect since the connection was lost. */
let attempts = 0;
/** @type {number | undefined} */
let timer;

const desktop = () => (current === undefined || credentials.isViewOnly ? undefined : current.rfb);
const clipboard = shareClipboard(desktop, screen, elements.clipboardText);
listenToField(desktop, field);
holdKeys(desktop, elements.keysPanel);

/** @type {AbortController} Aborts the current connection attempt and ends its session. */
let attempt = new AbortController();

async function connect() {
  attempt.abort();
  clearTimeout(timer);
  const { signal } = (attempt = new AbortController());
  if (credentials.password === "") return ask("locked");
  show(attempts === 0 ? "connecting" : "reconnecting");
  // A failed WebSocket connection reports no reason. The page's HTTP status shows whether the desktop still exists.
  const isThere = await isDesktopThere(signal);
  if (signal.aborted) return;
  if (isThere === undefined) return lose("");
  if (!isThere) return show("unknown");
  const session = openSession(screen, toRfbUrl(location.href), credentials, (text) => {
    if (!signal.aborted) clipboard.take(text);
  });
  signal.addEventListener("abort", session.end);
  void session.entered.then(() => {
    if (!signal.aborted) enter(session);
  });
  const outcome = await session.ended;
  if (signal.aborted) return;
  current = undefined;
  if (outcome.name === "refused") return ask("refused");
  if (outcome.name === "lost") return lose(outcome.detail);
  show(outcome.name, outcome.detail);
}

/**
 * @param {AbortSignal} signal
 * @returns {Promise<boolean | undefined>} Undefined if the server can't be reached.
 */
async function isDesktopThere(signal) {
  try {
    const { status } = await fetch(location.pathname, { method: "HEAD", cache: "no-store", signal });
    // Proxies return 5xx while the server restarts.
    return status >= 500 ? undefined : status !== 404;
  } catch {
    return undefined;
  }
}

/** @param {Session} session */
function enter(session) {
  current = session;
  attempts = 0;
  badge.hidden = !credentials.isViewOnly;
  show(credentials.isViewOnly ? "watching" : "connected");
  session.rfb.focus({ preventScroll: true });
}

/** @param {string} detail */
function lose(detail) {
  const delayMs = RETRY_DELAYS_MS[attempts];
  if (delayMs === undefined || !navigator.onLine) {
    attempts = 0;
    return show("lost", detail);
  }
  attempts += 1;
  show("retrying", `Attempt ${attempts} of ${RETRY_DELAYS_MS.length} in ${delayMs / 1000} s.`);
  timer = setTimeout(() => void connect(), delayMs);
}

/** @param {"locked" | "refused"} state */
function ask(state) {
  attempts = 0;
  viewOnly.checked = credentials.isViewOnly;
  password.value = "";
  show(state);
  password.focus();
}

passwordForm.addEventListener("submit", (event) => {
  event.preventDefault();
  credentials = { password: password.value, isViewOnly: viewOnly.checked };
  history.replaceState(null, "", toFragment(credentials));
  void connect();
});

again.addEventListener("click", () => {
  attempts = 0;
  void connect();
});

window.addEventListener("hashchange", () => {
  credentials = readFragment(location.hash);
  attempts = 0;
  void connect();
});

window.addEventListener("online", () => {
  if (["lost", "retrying"].includes(document.documentElement.dataset["state"] ?? "")) void connect();
});

fullscreen.addEventListener("click", () => {
  const { documentElement } = document;
  void (document.fullscreenElement === null ? documentElement.requestFullscreen() : document.exitFullscreen());
});
fullscreen.hidden = !document.fullscreenEnabled;
document.addEventListener("fullscreenchange", () => {
  fullscreen.ariaPressed = String(document.fullscreenElement !== null);
  current?.rfb.focus({ preventScroll: true });
});

// Keep the focus in the field. Otherwise, tapping the button would hide and reshow the keyboard.
keyboard.addEventListener("pointerdown", (event) => event.preventDefault());
keyboard.addEventListener("click", () => {
  if (document.activeElement === field) field.blur();
  else field.focus({ preventScroll: true });
});
field.addEventListener("focus", () => (keyboard.ariaPressed = "true"));
field.addEventListener("blur", () => (keyboard.ariaPressed = "false"));

for (const [button, panel] of elements.panels) {
  button.addEventListener("click", () => {
    const isOpen = !panel.hidden;
    closePanels();
    if (isOpen) return current?.rfb.focus({ preventScroll: true });
    panel.hidden = false;
    button.ariaExpanded = "true";
    panel.querySelector("textarea")?.focus();
  });
  panel.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    closePanels();
    button.focus();
  });
}

// Lets keyboard users leave the desktop: pressing and releasing Ctrl, Alt and Shift together focuses the toolbar.
let isLeaving = false;
window.addEventListener(
  "keydown",
  ({ ctrlKey, altKey, shiftKey, key }) => {
    isLeaving = ctrlKey && altKey && shiftKey && ["Control", "Alt", "Shift", "Meta"].includes(key);
  },
  { capture: true },
);
window.addEventListener("keyup", ({ ctrlKey, altKey, shiftKey }) => {
  if (!isLeaving || ctrlKey || altKey || shiftKey) return;
  isLeaving = false;
  elements.firstTool()?.focus();
});

if (document.documentElement.dataset["state"] === "unknown") show("unknown");
else void connect();
