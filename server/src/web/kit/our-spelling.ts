/** What a path of ours is made of: with nothing else in it, it leads to no other site. */
const OURS = /^(?:\/[\w-]+)+$/;

/**
 * How we write the address of a page that somebody has typed in another way: with a slash behind it, or in other case,
 * which matters in ids only.
 * @param routes Paths of the pages, as routes.
 * @returns From a path to ours; undefined when it is none, or written so already.
 */
export function newSpelling(routes: readonly string[]): (path: string) => string | undefined {
  const fixed = new Map(routes.filter((route) => OURS.test(route)).map((route) => [route.toLowerCase(), route]));
  return (path) => {
    const bare = path.replace(/\/+$/, "");
    if (!OURS.test(bare)) return undefined;
    const ours = fixed.get(bare.toLowerCase()) ?? bare;
    return ours === path ? undefined : ours;
  };
}
