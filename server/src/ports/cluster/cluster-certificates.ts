/** The PEM files for TLS connections between a cluster's servers. The key is a secret. */
export type ClusterKeys = {
  /** The authorities that signed the other servers' certificates. */
  readonly ca: string;
  /** This server's certificate, followed by the intermediate certificates. */
  readonly cert: string;
  readonly key: string;
};

/**
 * Returns the options for a TLS connection to a worker. The worker's certificate must match the host in the worker's
 * URL, whatever host a request names.
 * @throws {Error} If this server has certificates but the URL begins with http://, which would expose the secret.
 */
export function toTlsOptions(url: URL, keys: ClusterKeys | undefined) {
  if (keys === undefined) return {};
  if (url.protocol !== "https:") {
    throw new Error(`RBS_WORKER_URL of this worker is ${url.origin}, but RBS_CLUSTER_CERT_FILE requires https://.`);
  }
  // SNI doesn't allow IP addresses. Node checks an IP address against the certificate even without a server name.
  return { ...keys, servername: /^[\d.]+$|^\[/.test(url.hostname) ? "" : url.hostname };
}

/** This server's certificates, renewed while the server runs. Disposing stops the renewal. */
export interface ClusterCertificates extends Disposable {
  /** The keys for new connections. */
  readonly current: ClusterKeys;
  onRenewed(callback: () => void): void;
}
