/** No page of ours has a longer address. */
const MAX_LENGTH = 512;

/**
 * Where to go on to after signing in: a path of this site, never another site.
 * @param wanted As it stood in the URL; `//host`, `/\host`, `/.//host` and the like are other sites to a browser.
 */
export function toNextPage(wanted: string | undefined): string | undefined {
  if (wanted === undefined || wanted.length > MAX_LENGTH) return undefined;
  if (!/^\/(?![/\\])[\w\-./?=&%]*$/.test(wanted)) return undefined;
  const url = URL.parse(wanted, "http://here.invalid");
  // Whatever a browser would read in another way than it is written (dots, above all) may lead anywhere.
  return url !== null && url.pathname + url.search === wanted ? wanted : undefined;
}
