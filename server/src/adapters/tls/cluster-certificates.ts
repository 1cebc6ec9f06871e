import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { repeat } from "../../concurrency/repeat.ts";
import type { Clock } from "../../ports/clock.ts";
import type { ClusterCertificates, ClusterKeys } from "../../ports/cluster/cluster-certificates.ts";
import type { Log } from "../../ports/log.ts";
import type { Rights } from "../../ports/rights.ts";

/** Interval between reads of the files, in ms. */
const READ_MS = 30_000;

type Options = {
  /** Absolute paths. */
  readonly files: ClusterKeys;
  /** The hostname or IP address that the certificate must cover. Undefined if no other server calls this server. */
  readonly host: string | undefined;
  readonly clock: Pick<Clock, "now" | "after">;
  readonly log: Log;
  readonly rights: Pick<Rights, "asRoot">;
};

/**
 * Reads this server's certificates at startup and every 30 s. Only the first read runs as root. Later reads ignore
 * unusable files, such as a certificate whose key isn't written yet.
 * @throws {Error} Names the unusable file and the reason.
 */
export async function openClusterCertificates(options: Options): Promise<ClusterCertificates> {
  const { clock, log, rights } = options;
  let current = await rights.asRoot(() => readKeys(options));
  let lastFault: string | undefined;
  const listeners: (() => void)[] = [];

  const readAgain = (): void => {
    try {
      const read = readKeys(options);
      lastFault = undefined;
      if (read.ca === current.ca && read.cert === current.cert && read.key === current.key) return;
      current = read;
      log.info("certificates.renewed", { validTo: new X509Certificate(read.cert).validToDate });
      for (const listener of listeners) listener();
    } catch (error) {
      // Log each error once.
      if (String(error) !== lastFault) log.error("certificates.not_renewed", { error });
      lastFault = String(error);
    }
  };
  return {
    ...repeat(READ_MS, clock, readAgain),
    get current() {
      return current;
    },
    onRenewed: (callback) => void listeners.push(callback),
  };
}

function readKeys({ files, host, clock }: Options): ClusterKeys {
  const [ca, cert, key] = [
    readText("RBS_CLUSTER_CA_FILE", files.ca),
    readText("RBS_CLUSTER_CERT_FILE", files.cert),
    readText("RBS_CLUSTER_KEY_FILE", files.key),
  ];
  const ofCert = `RBS_CLUSTER_CERT_FILE: ${files.cert}`;
  const authorities = toCertificates(ca, `RBS_CLUSTER_CA_FILE: ${files.ca}`);
  const chain = toCertificates(cert, ofCert);
  const [own, top] = [chain[0], chain.at(-1)] as [X509Certificate, X509Certificate];
  const [now, validTo] = [clock.now(), own.validToDate];
  if (now > validTo) throw new Error(`${ofCert} expired at ${validTo.toISOString()}.`);
  if (now < own.validFromDate)
    throw new Error(`${ofCert} is valid from ${own.validFromDate.toISOString()}, which is in the future.`);
  if (!own.checkPrivateKey(toKey(key, files.key))) {
    throw new Error(`RBS_CLUSTER_KEY_FILE: ${files.key} is not the key of the certificate in ${files.cert}.`);
  }
  if (!authorities.some((authority) => top.checkIssued(authority) && top.verify(authority.publicKey))) {
    throw new Error(`${ofCert} isn't signed by an authority in ${files.ca}.`);
  }
  if (host !== undefined && !isFor(own, host)) {
    const names = own.subjectAltName ?? "no names";
    throw new Error(`${ofCert} isn't valid for ${host}, the host in RBS_WORKER_URL. It is valid for ${names}.`);
  }
  return { ca, cert, key };
}

function isFor(certificate: X509Certificate, host: string): boolean {
  return (isIP(host) === 0 ? certificate.checkHost(host) : certificate.checkIP(host)) !== undefined;
}

function readText(setting: string, path: string): string {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    throw new Error(`${setting}: the server can't read ${path}.`, { cause });
  }
}

function toCertificates(pem: string, file: string): X509Certificate[] {
  try {
    const found = pem.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g) ?? [];
    if (found.length === 0) throw new Error("The file contains no BEGIN CERTIFICATE and END CERTIFICATE lines.");
    return found.map((each) => new X509Certificate(each));
  } catch (cause) {
    throw new Error(`${file} doesn't have certificates in PEM format.`, { cause });
  }
}

function toKey(pem: string, path: string) {
  try {
    return createPrivateKey(pem);
  } catch (cause) {
    throw new Error(`RBS_CLUSTER_KEY_FILE: ${path} doesn't have a private key in PEM format without a password.`, {
      cause,
    });
  }
}
