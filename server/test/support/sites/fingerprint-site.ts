import { once } from "node:events";
import { readFileSync, readdirSync } from "node:fs";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { dirname, join } from "node:path";
import { text } from "node:stream/consumers";

/** What a script can read in a page, a frame or a worker. */
export type Fingerprint = {
  readonly userAgent: string;
  readonly appVersion: string;
  readonly platform: string;
  readonly language: string;
  readonly languages: readonly string[];
  readonly hardwareConcurrency: number;
  readonly deviceMemory: number;
  readonly hints: {
    readonly brands: readonly { readonly brand: string; readonly version: string }[];
    readonly fullVersionList: readonly { readonly brand: string; readonly version: string }[];
    readonly mobile: boolean;
    readonly platform: string;
    readonly architecture: string;
    readonly bitness: string;
    readonly uaFullVersion: string;
  };
  readonly timeZone: string;
  readonly locale: string;
  /** Minutes behind UTC in January and July. */
  readonly offsets: readonly number[];
  /** 1234.5, formatted for the browser's locale. */
  readonly number: string;
  /** Vendor and renderer; undefined without WebGL. */
  readonly graphics?: readonly string[];
};

type Pair = readonly [width: number, height: number];

/** The facts that a page can read about its browser, and BotD's verdict. */
export type Report = {
  readonly places: Readonly<Record<"page" | "frame" | "worker" | "sharedWorker" | "serviceWorker", Fingerprint>>;
  readonly window: {
    readonly outer: Pair;
    readonly inner: Pair;
    readonly place: Pair;
    readonly screen: Pair;
    readonly available: Pair;
    readonly colorDepth: number;
    readonly devicePixelRatio: number;
    readonly scrollBar: number;
    readonly hasMouse: boolean;
  };
  readonly isDriven: boolean;
  readonly plugins: number;
  readonly hasChrome: boolean;
  readonly notifications: { readonly asked: string; readonly known: string };
  readonly isConsoleRead: boolean;
  readonly botDetection: { readonly isBot: boolean; readonly by: readonly string[] };
  /** The page's request headers. */
  readonly headers: Readonly<Record<string, string | undefined>>;
};

/** A site whose page collects a fingerprint of the visiting browser. */
export type FingerprintSite = AsyncDisposable & {
  /** @returns A unique URL for one visit, and the visit's report. */
  expectVisit(): { readonly url: string; readonly report: Promise<Report> };
};

const FOLDER = join(import.meta.dirname, "../fingerprint");
const BOTD = join(dirname(createRequire(import.meta.url).resolve("@fingerprintjs/botd")), "botd.esm.js");
const FILES: ReadonlyMap<string, string> = new Map([
  ...readdirSync(FOLDER).map((name) => [name, join(FOLDER, name)] as const),
  ["botd.mjs", BOTD],
]);

export async function openFingerprintSite(): Promise<FingerprintSite> {
  const visits: { headers: Report["headers"]; readonly report: PromiseWithResolvers<Report> }[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, search } = new URL(request.url ?? "", "http://site");
    const visit = visits[Number(search.slice(1))];
    const name = pathname.slice(1);
    if (name === "report") {
      const report = JSON.parse(await text(request)) as Omit<Report, "headers"> & { readonly failure?: string };
      if (report.failure === undefined) visit?.report.resolve({ ...report, headers: visit.headers });
      else visit?.report.reject(new Error(`The page failed: ${report.failure}`));
      response.end();
      return;
    }
    if (name === "page.html" && visit !== undefined) visit.headers = request.headers as Report["headers"];
    const file = FILES.get(name);
    response.writeHead(file === undefined ? 404 : 200, {
      "Content-Type": name.endsWith(".mjs") ? "text/javascript" : "text/html",
    });
    response.end(file === undefined ? "" : readFileSync(file));
  };
  const server = createServer((request, response) => void answer(request, response));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    expectVisit() {
      const report = Promise.withResolvers<Report>();
      const number = visits.push({ headers: {}, report }) - 1;
      return { url: `http://127.0.0.1:${port}/page.html?${number}`, report: report.promise };
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}
