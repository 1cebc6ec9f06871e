import type { ServiceApp } from "../../api/app.ts";
import type { Assets } from "../../ports/assets.ts";

const IMMUTABLE = "public, max-age=31536000, immutable";

/**
 * Serves files that clients can cache forever.
 * @param path The files' path prefix, with a leading and a trailing slash.
 * @returns The folder's versioned path, without a leading slash.
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
