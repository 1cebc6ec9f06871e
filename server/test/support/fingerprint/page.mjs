// Inspects the browser in every context in which a page can run scripts, runs BotD, and reports to the server.
import { load } from "./botd.mjs";
import { collect } from "./collect.mjs";

/** Resolves with the first message from a worker, port or frame. */
function nextMessage(target) {
  return new Promise((resolve) => {
    target.addEventListener("message", ({ data }) => resolve(data), { once: true });
    // Ports and service worker containers queue messages until they are started.
    target.start?.();
    target.startMessages?.();
  });
}

async function collectInFrame() {
  const frame = document.createElement("iframe");
  frame.src = "frame.html";
  const found = nextMessage(window);
  document.body.append(frame);
  return found;
}

async function collectInServiceWorker() {
  await navigator.serviceWorker.register("worker.mjs", { type: "module" });
  const { active } = await navigator.serviceWorker.ready;
  const found = nextMessage(navigator.serviceWorker);
  active.postMessage("collect", []);
  return found;
}

function readWindow() {
  const { outerWidth, outerHeight, innerWidth, innerHeight, screenX, screenY, devicePixelRatio } = window;
  const { width, height, availWidth, availHeight, colorDepth } = screen;
  const scrolling = document.querySelector("#scrolling");
  return {
    outer: [outerWidth, outerHeight],
    inner: [innerWidth, innerHeight],
    place: [screenX, screenY],
    screen: [width, height],
    available: [availWidth, availHeight],
    colorDepth,
    devicePixelRatio,
    scrollBar: scrolling.offsetWidth - scrolling.clientWidth,
    hasMouse: matchMedia("(hover: hover) and (pointer: fine)").matches,
  };
}

/** Detects whether the Runtime domain is enabled: if a client reads the console, logging an error reads its `stack`. */
function isConsoleRead() {
  let isRead = false;
  const bait = Object.defineProperty(new Error("bait"), "stack", {
    get() {
      isRead = true;
      return "";
    },
  });
  console.debug(bait);
  return isRead;
}

async function detectBot() {
  const detector = await load({ monitoring: false });
  const verdict = detector.detect();
  const detections = Object.entries(detector.getDetections());
  return { isBot: verdict.bot, by: detections.filter(([, { bot }]) => bot).map(([name]) => name) };
}

async function report() {
  const [page, frame, worker, sharedWorker, serviceWorker, botDetection, { state }] = await Promise.all([
    collect(),
    collectInFrame(),
    nextMessage(new Worker("worker.mjs", { type: "module" })),
    nextMessage(new SharedWorker("worker.mjs", { type: "module" }).port),
    collectInServiceWorker(),
    detectBot(),
    navigator.permissions.query({ name: "notifications" }),
  ]);
  return {
    places: { page, frame, worker, sharedWorker, serviceWorker },
    window: readWindow(),
    isDriven: navigator.webdriver,
    plugins: navigator.plugins.length,
    hasChrome: "chrome" in window,
    notifications: { asked: state, known: Notification.permission },
    isConsoleRead: isConsoleRead(),
    botDetection,
  };
}

const answer = await report().catch((/** @type {unknown} */ error) => ({ failure: String(error) }));
await fetch(`report${location.search}`, { method: "POST", body: JSON.stringify(answer) });
document.title = "Reported";
