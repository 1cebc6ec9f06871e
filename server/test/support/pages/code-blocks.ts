const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };

/** Returns a page's code blocks by id, as users copy them. */
export function readBlocks(page: string): ReadonlyMap<string, string> {
  const blocks = page.matchAll(/<pre id="([^"]+)"[^>]*><code>([^]*?)<\/code><\/pre>/g);
  return new Map(Array.from(blocks, ([, id = "", text = ""]) => [id, unescape(text)]));
}

function unescape(text: string): string {
  return text.replaceAll(/&(#?\w+);/g, (whole, name: string) => ENTITIES[name] ?? whole);
}
