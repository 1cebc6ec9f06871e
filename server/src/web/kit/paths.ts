/** The maximum path length, which exceeds the length of any page's address. */
const MAX_LENGTH = 512;

/**
 * Validates the page to open after sign-in, which must not be on another site.
 * @param path A path from the URL. Web browsers treat `//host`, `/\host`, `/.//host` and similar paths as other sites.
 * @returns Undefined if the value is not a path on this site.
 */
export function toNextPage(path: string | undefined): string | undefined {
  if (path === undefined || path.length > MAX_LENGTH) return undefined;
  if (!/^\/(?![/\\])[\w\-./?=&%]*$/.test(path)) return undefined;
  const url = URL.parse(path, "http://here.invalid");
  // A path that the browser normalizes, for example because of its dots, could resolve to any site.
  return url !== null && url.pathname + url.search === path ? path : undefined;
}

/** Appends the parameters that have a value. */
export function withQuery(path: string, parameters: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(parameters).flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[name, value]],
  );
  return given.length === 0 ? path : `${path}?${new URLSearchParams(given).toString()}`;
}

/** Matching paths can't resolve to another site. */
const SIMPLE_PATH = /^(?:\/[\w-]+)+$/;

/**
 * Creates a function that removes a path's trailing slashes and corrects the case of its route. Case matters only in
 * ids.
 * @param routes Paths of the pages.
 * @returns A function that returns the canonical path, or undefined if the path is already canonical or contains other
 * characters.
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
