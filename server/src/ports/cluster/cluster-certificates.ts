/**
 * What a server of a cluster shows and trusts on TLS connections to other servers, in PEM format. The key is a secret.
 */
export type ClusterKeys = {
  /** Authorities that have signed the certificates of the other servers. */
  readonly ca: string;
  /** This server's certificate, with those between it and the authority. */
  readonly cert: string;
  readonly key: string;
};

/**
 * The options of a TLS connection to a worker. It has to show a certificate for the host in its URL, whichever host a
 * request names.
 * @throws {Error} If that URL begins with http://, although this server has certificates: it would send the secret to
 * anyone.
 */
export function toTlsOptions(url: URL, keys: ClusterKeys | undefined) {
  if (keys === undefined) return {};
  if (url.protocol !== "https:") {
    throw new Error(
      `RBS_WORKER_URL of this worker is ${url.origin}, but with RBS_CLUSTER_CERT_FILE it has to be https://.`,
    );
  }
  // TLS has no names for addresses, which are compared without one.
  return { ...keys, servername: /^[\d.]+$|^\[/.test(url.hostname) ? "" : url.hostname };
}

/** The certificates of this server. They are renewed while it runs. Disposing stops that. */
export interface ClusterCertificates extends Disposable {
  /** For connections that are made from now on. */
  readonly current: ClusterKeys;
  /** Calls back after `current` has changed. */
  onRenewed(callback: () => void): void;
}
