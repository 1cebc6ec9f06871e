/**
 * @typedef {"connecting" | "connected" | "watching" | "reconnecting" | "retrying" | "lost" | "locked" | "refused" |
 * "stopped" | "ended" | "unknown"} State
 * @typedef {object} Words
 * @property {string} status Shown in the bar.
 * @property {string} [title] Shown in the middle of the page. If there is no title, the page shows the desktop.
 * @property {string} [text]
 * @property {string} [again] Label of the button. Without a label, the button is hidden.
 */

/** @type {Readonly<Record<State, Words>>} */
const WORDS = {
  connecting: { status: "Connecting…", title: "Connecting…" },
  connected: { status: "Connected" },
  watching: { status: "Connected" },
  reconnecting: { status: "Reconnecting…", title: "Reconnecting…" },
  retrying: {
    status: "Connection lost",
    title: "The connection was lost",
    text: "Reconnecting automatically.",
    again: "Try now",
  },
  lost: {
    status: "Not connected",
    title: "The connection was lost",
    text: "The server could not be reached. The browser may still be running.",
    again: "Reconnect",
  },
  locked: {
    status: "Password needed",
    title: "Enter the password for this desktop",
    text: "Links from StartRemoteDesktop contain the password after the #. This link doesn't have a password.",
  },
  refused: {
    status: "Wrong password",
    title: "The password is wrong",
    text: "The passwords change each time the desktop starts. The latest response from StartRemoteDesktop contains the current passwords.",
  },
  stopped: {
    status: "Desktop stopped",
    title: "The desktop was stopped",
    text: "The browser is still running. To get a new link, call StartRemoteDesktop.",
  },
  ended: { status: "Browser closed", title: "The browser has closed", text: "" },
  unknown: {
    status: "No desktop",
    title: "Desktop not found",
    text: "The desktop was stopped, its browser has closed, or the link is incomplete. If the browser is open, call StartRemoteDesktop to get a new link.",
  },
};

/**
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 */
function find(id, kind) {
  const element = document.getElementById(id);
  if (!(element instanceof kind)) throw new Error(`The page has no ${id}.`);
  return element;
}

export const elements = {
  screen: find("screen", HTMLDivElement),
  badge: find("badge", HTMLParagraphElement),
  passwordForm: find("password-form", HTMLFormElement),
  password: find("password", HTMLInputElement),
  viewOnly: find("view-only", HTMLInputElement),
  again: find("again", HTMLButtonElement),
  fullscreen: find("fullscreen", HTMLButtonElement),
  keyboard: find("keyboard", HTMLButtonElement),
  field: find("field", HTMLTextAreaElement),
  clipboardText: find("clipboard-text", HTMLTextAreaElement),
  keysPanel: find("keys-panel", HTMLElement),
  /** Each button and the panel that it opens. */
  panels: /** @type {const} */ ([
    [find("keys", HTMLButtonElement), find("keys-panel", HTMLElement)],
    [find("clipboard", HTMLButtonElement), find("clipboard-panel", HTMLElement)],
  ]),
  firstTool: () => [...document.querySelectorAll("button")].find((button) => button.checkVisibility()),
};

const statusText = find("status-text", HTMLElement);
const title = find("message-title", HTMLElement);
const text = find("message-text", HTMLElement);

/**
 * Shows a connection state.
 * @param {State} state
 * @param {string} [detail] Added to the text.
 */
export function show(state, detail = "") {
  const words = WORDS[state];
  document.documentElement.dataset["state"] = state;
  document.title = words.title === undefined ? "Remote desktop" : `${words.status} – Remote desktop`;
  statusText.textContent = words.status;
  title.textContent = words.title ?? "";
  text.textContent = [words.text, detail].filter((sentence) => sentence !== undefined && sentence !== "").join(" ");
  elements.again.textContent = words.again ?? "";
  elements.again.hidden = words.again === undefined;
  elements.passwordForm.hidden = state !== "locked" && state !== "refused";
  if (state !== "connected" && state !== "watching") closePanels();
}

export function closePanels() {
  for (const [button, panel] of elements.panels) {
    panel.hidden = true;
    button.ariaExpanded = "false";
  }
}
