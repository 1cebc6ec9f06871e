/** A file that a page loads. */
export type Asset = {
  /** The value of its `Content-Type`. */
  readonly type: string;
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** The same, compressed at the first call. */
  gzipped(): Promise<Uint8Array<ArrayBuffer>>;
};

/** The files that pages load. Only these are served. */
export type Assets = {
  /** Changes when any file changes, so clients may cache files forever. */
  readonly version: string;
  /** By path, relative to the version. */
  readonly files: ReadonlyMap<string, Asset>;
};

/** A page with all the files that it loads. */
export type PageWithAssets = Assets & { readonly html: string };
