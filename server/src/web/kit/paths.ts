/** Longer than the address of any page. */
const MAX_LENGTH = 512;

/**
 * The page to open after sign-in. Never another site.
 * @param path From the URL. Browsers treat `//host`, `/\host`, `/.//host` and similar texts as other sites.
 * @returns Undefined if the text is not a path on this site.
 */
export function toNextPage(path: string | undefined): string | undefined {
  if (path === undefined || path.length > MAX_LENGTH) return undefined;
  if (!/^\/(?![/\\])[\w\-./?=&%]*$/.test(path)) return undefined;
  const url = URL.parse(path, "http://here.invalid");
  // A path that the browser rewrites, for example because of its dots, can lead anywhere.
  return url !== null && url.pathname + url.search === path ? path : undefined;
}

/** A path with those parameters that have a value. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** A path of only these characters can't lead to another site. */
const SIMPLE_PATH = /^(?:\/[\w-]+)+$/;

/**
 * Finds a page's path as it is written in its route, for a path with a trailing slash or in other letter case. Case
 * only matters in ids.
 * @param routes Paths of the pages.
 * @returns Converts a path to the route's spelling; returns undefined for an unknown path, and for one in that
 * spelling.
 */
export function newCanonicalPaths(routes: readonly string[]): (path: string) => string | undefined {
  const known = new Map(routes.filter((route) => SIMPLE_PATH.test(route)).map((route) => [route.toLowerCase(), route]));
  return (path) => {
    const bare = path.replace(/\/+$/, "");
    if (!SIMPLE_PATH.test(bare)) return undefined;
    const canonical = known.get(bare.toLowerCase()) ?? bare;
    return canonical === path ? undefined : canonical;
  };
}
