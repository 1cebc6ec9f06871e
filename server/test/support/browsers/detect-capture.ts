/**
 * A script that records every sign of a screenshot that a page could detect: events, sizes, focus, console reads,
 * missing frames. The script stores its results in `noticed`.
 */
export const DETECT_CAPTURE = `
  globalThis.noticed = [];
  globalThis.frames = 0;
  const note = (what) => noticed.push(what);
  for (const name of ["visibilitychange", "freeze", "resume", "fullscreenchange"])
    document.addEventListener(name, () => note(name), true);
  for (const name of ["focus", "blur", "resize", "scroll", "pageshow", "pagehide", "beforeprint", "mousemove", "keydown"])
    addEventListener(name, () => note(name), true);
  new ResizeObserver(() => note("size")).observe(document.documentElement);
  visualViewport.addEventListener("resize", () => note("viewport"));
  for (const query of ["(resolution: 1dppx)", "print", "(hover: hover)", "(prefers-reduced-motion)", "(display-mode: browser)"])
    matchMedia(query).addEventListener("change", () => note(query));
  const measure = () => [innerWidth, innerHeight, outerWidth, outerHeight, devicePixelRatio, screenX, screenY, screen.width,
    screen.height, visualViewport.scale, document.hasFocus(), document.visibilityState, navigator.webdriver].join();
  let measured = measure();
  setInterval(() => { if (measure() !== measured) note(measured + " -> " + (measured = measure())); }, 4);
  let last = performance.now();
  const frame = (now) => {
    frames += 1;
    if (document.visibilityState === "visible" && now - last > 1000) note("no frame for " + (now - last));
    last = now;
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  const trap = new Error("trap");
  Object.defineProperty(trap, "stack", { get() { note("console"); return ""; } });
  const element = document.createElement("div");
  Object.defineProperty(element, "id", { get() { note("console"); return ""; } });
  const lure = Object.create(new Proxy({}, { ownKeys() { note("console"); return []; } }));
  setInterval(() => { console.debug(trap); console.debug(lure); console.dir(element); console.table([element]); }, 5);
  0`;
