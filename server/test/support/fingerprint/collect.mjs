// Collects what a script can find out about its browser in a page, a frame or a worker.

const HINTS = ["architecture", "bitness", "fullVersionList", "model", "platformVersion", "uaFullVersion"];

export async function collect() {
  const { userAgent, appVersion, platform, language, languages, hardwareConcurrency, deviceMemory } = navigator;
  const { timeZone, locale } = Intl.DateTimeFormat().resolvedOptions();
  return {
    userAgent,
    appVersion,
    platform,
    language,
    languages: [...languages],
    hardwareConcurrency,
    deviceMemory,
    hints: await navigator.userAgentData.getHighEntropyValues(HINTS),
    timeZone,
    locale,
    offsets: [0, 6].map((month) => new Date(2026, month, 1).getTimezoneOffset()),
    number: (1234.5).toLocaleString(),
    graphics: readGraphics(),
  };
}

function readGraphics() {
  const context = new OffscreenCanvas(1, 1).getContext("webgl");
  const names = context?.getExtension("WEBGL_debug_renderer_info");
  if (!names) return undefined;
  return [names.UNMASKED_VENDOR_WEBGL, names.UNMASKED_RENDERER_WEBGL].map((name) => context.getParameter(name));
}
