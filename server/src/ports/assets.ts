export type Asset = {
  readonly type: string;
  read(): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the file, compressed on the first call. */
  gzipped(): Promise<Uint8Array<ArrayBuffer>>;
};

/** The files that pages load. The server serves no other files. */
export type Assets = {
  /** A new value whenever any file changes, so clients may cache files forever. */
  readonly version: string;
  /** The files, keyed by path relative to the version. */
  readonly files: ReadonlyMap<string, Asset>;
};

/** A page with all the files it loads. */
export type PageWithAssets = Assets & { readonly html: string };
