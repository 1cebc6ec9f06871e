/**
 * @typedef {"connecting" | "connected" | "watching" | "reconnecting" | "retrying" | "lost" | "locked" | "refused" |
 *   "stopped" | "ended" | "unknown"} State
 * @typedef {object} Words
 * @property {string} status In the bar.
 * @property {string} [title] In the middle of the page; without one, the desktop is shown.
 * @property {string} [text]
 * @property {string} [again] What the button says; without it there is none.
 */

/** @type {Readonly<Record<State, Words>>} */
const WORDS = {
  connecting: { status: "Connecting…", title: "Connecting…" },
  connected: { status: "Connected" },
  watching: { status: "Connected" },
  reconnecting: { status: "Connecting again…", title: "Connecting again…" },
  retrying: {
    status: "Connection lost",
    title: "The connection was lost",
    text: "It is tried again by itself.",
    again: "Try now",
  },
  lost: {
    status: "Not connected",
    title: "The connection was lost",
    text: "The server could not be reached. The browser may well be running still.",
    again: "Connect again",
  },
  locked: {
    status: "Password needed",
    title: "This desktop has a password",
    text: "Links from StartRemoteDesktop carry it after the #; this one has none.",
  },
  refused: {
    status: "Wrong password",
    title: "The password is wrong",
    text: "Passwords change at every start of the desktop. The one of now is in the last answer of StartRemoteDesktop.",
  },
  stopped: {
    status: "Desktop stopped",
    title: "The desktop was stopped",
    text: "The browser goes on without it. StartRemoteDesktop gives you a new link.",
  },
  ended: { status: "Browser closed", title: "The browser has closed", text: "Its desktop has gone with it." },
  unknown: {
    status: "No desktop here",
    title: "There is no desktop at this link",
    text: "It was stopped, its browser has closed, or the link is incomplete. If the browser is open, StartRemoteDesktop gives you a new link.",
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
  /** Each button with what it opens. */
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
 * Shows a state, and nothing of the one before.
 * @param {State} state
 * @param {string} [detail] What else there is to say about it.
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
  if (state !== "connected" && state !== "watching") {
    for (const [button, panel] of elements.panels) {
      panel.hidden = true;
      button.ariaExpanded = "false";
    }
  }
}
