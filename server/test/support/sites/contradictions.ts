import type { Fingerprint, Report } from "./fingerprint-site.ts";

/** Returns the names of a report's facts that contradict each other; empty for an ordinary browser. */
export function findContradictions(report: Report): string[] {
  const { page, ...others } = report.places;
  return [
    ...Object.entries(others).flatMap(([place, found]) => differences(place, page, found)),
    ...contradictionsOfIdentity(report),
    ...contradictionsOfLocale(report),
    ...contradictionsOfWindow(report),
  ];
}

function differences(place: string, page: Fingerprint, other: Fingerprint): string[] {
  return (Object.keys(page) as (keyof Fingerprint)[])
    .filter((fact) => JSON.stringify(page[fact]) !== JSON.stringify(other[fact]))
    .map((fact) => `${place}: ${fact}`);
}

function contradictionsOfIdentity({ places: { page }, headers, notifications, ...report }: Report): string[] {
  const { hints, userAgent } = page;
  const brands = hints.brands.map(({ brand, version }) => `"${brand}";v="${version}"`).join(", ");
  const [, name, major = ""] = /(\w*Chrome)\/(\d+)/.exec(userAgent) ?? [];
  return unless({
    "the header User-Agent": headers["user-agent"] === userAgent,
    "navigator.appVersion": `Mozilla/${page.appVersion}` === userAgent,
    "navigator.platform": userAgent.includes(page.platform),
    "the header Sec-CH-UA": headers["sec-ch-ua"] === brands,
    "the header Sec-CH-UA-Platform": headers["sec-ch-ua-platform"] === `"${hints.platform}"`,
    "the header Sec-CH-UA-Mobile": headers["sec-ch-ua-mobile"] === `?${Number(hints.mobile)}`,
    "hints: platform": page.platform.startsWith(hints.platform),
    "hints: version": hints.brands.some(({ brand, version }) => brand === "Chromium" && version === major),
    "hints: headless": hints.brands.some(({ brand }) => brand === "HeadlessChrome") === (name === "HeadlessChrome"),
    "hints: full version": hints.uaFullVersion.startsWith(`${major}.`),
    "hints: architecture": hints.architecture === "x86" && hints.bitness === "64",
    "navigator.plugins": report.plugins > 0,
    "window.chrome": report.hasChrome,
    "Notification.permission":
      (notifications.known === "default" ? "prompt" : notifications.known) === notifications.asked,
    WebGL: page.graphics?.length === 2,
  });
}

function contradictionsOfLocale({ places: { page }, headers }: Report): string[] {
  const asked = headers["accept-language"]?.split(",").map((part) => part.split(";")[0]);
  return unless({
    "navigator.language": page.language === page.languages[0],
    "the header Accept-Language": asked?.join() === page.languages.join(),
    Intl: page.language === page.locale || page.language.startsWith(`${page.locale}-`),
    numbers: page.number === (1234.5).toLocaleString(page.language),
    "time zone": page.offsets.join() === offsetsOf(page.timeZone).join(),
  });
}

function contradictionsOfWindow({ window }: Report): string[] {
  const { screen, available, outer, inner, place } = window;
  const fits = (small: readonly number[], large: readonly number[]): boolean =>
    small.every((length, index) => length <= (large[index] ?? 0));
  return unless({
    "the available screen": fits(available, screen),
    "the window's size": fits(outer, available),
    "the page's size": fits(inner, outer),
    "the window's frame": inner.join() !== outer.join(),
    "the window's position": fits([0, 0], place),
    "scroll bars": window.scrollBar > 0 || !window.hasMouse,
    "a mouse": window.hasMouse,
  });
}

/** Returns the names of the facts that are false. */
function unless(facts: Readonly<Record<string, boolean>>): string[] {
  return Object.keys(facts).filter((name) => facts[name] === false);
}

/** Returns a time zone's offsets behind UTC in January and July 2026, in minutes. */
function offsetsOf(timeZone: string): number[] {
  return [0, 6].map((month) => {
    const date = new Date(Date.UTC(2026, month, 1));
    return (date.getTime() - new Date(`${date.toLocaleString("en-US", { timeZone })} UTC`).getTime()) / 60_000;
  });
}
