import type { ServiceApp } from "../../api/app.ts";
import type { Assets } from "../../ports/assets.ts";

const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves these files. Clients may cache them forever.
 * @param path Prefix of their paths, with a leading and a trailing slash.
 * @returns The path of their folder, including the version, without a leading slash.
 */
export function mountAssets(app: ServiceApp, path: string, { version, files }: Assets): string {
  const folder = `${path}${version}/`;

  app.get(`${folder}*`, async (c, next) => {
    const file = files.get(c.req.path.slice(folder.length));
    if (file === undefined) return next();
    const isCompressed = /\bgzip\b/.test(c.req.header("accept-encoding") ?? "");
    return c.body(isCompressed ? await file.gzipped() : await file.read(), 200, {
      "Content-Type": file.type,
      "Cache-Control": IMMUTABLE,
      Vary: "Accept-Encoding",
      ...(isCompressed ? { "Content-Encoding": "gzip" } : {}),
    });
  });

  return folder.slice(1);
}
