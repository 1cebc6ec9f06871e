import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ClusterKeys } from "../../../src/ports/cluster/cluster-certificates.ts";

/** A certificate with its key and authority, as PEM text and as files for settings. */
export type Issued = ClusterKeys & { readonly files: ClusterKeys; readonly settings: Record<string, string> };

/** Signs certificates. Disposing removes all files. */
export type Authority = Disposable & {
  /**
   * @param names The certificate's names, such as `DNS:worker,IP:127.0.0.1`. @param days Days until the certificate
   * expires; -1 for an expired certificate.
   */
  issue(names: string, days?: number): Issued;
};

const NEW_KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"];

export function openAuthority(): Authority {
  const folder = mkdtempSync(join(tmpdir(), "rbs-authority-"));
  // A server may run as another user, which must be able to enter the folder.
  chmodSync(folder, 0o755);
  const openssl = (...args: readonly string[]): void =>
    void execFileSync("openssl", args, { cwd: folder, stdio: "pipe" });
  openssl("req", "-x509", ...NEW_KEY, "-days", "9", "-subj", "/CN=browsers", "-keyout", "ca.key", "-out", "ca.crt");
  const ca = readFileSync(join(folder, "ca.crt"), "utf8");
  let issued = 0;
  return {
    issue(names, days = 9) {
      const name = `own-${(issued += 1)}`;
      const [cert, key] = [`${name}.crt`, `${name}.key`];
      const request = ["-subj", "/CN=worker", "-addext", `subjectAltName=${names}`, "-keyout", key, "-out", "request"];
      openssl("req", ...NEW_KEY, ...request);
      const signed = ["-copy_extensions", "copyall", "-CAcreateserial", "-days", String(days), "-out", cert];
      openssl("x509", "-req", "-in", "request", "-CA", "ca.crt", "-CAkey", "ca.key", ...signed);
      chmodSync(join(folder, key), 0o644);
      const files = { ca: join(folder, "ca.crt"), cert: join(folder, cert), key: join(folder, key) };
      const settings = {
        RBS_CLUSTER_CA_FILE: files.ca,
        RBS_CLUSTER_CERT_FILE: files.cert,
        RBS_CLUSTER_KEY_FILE: files.key,
      };
      return { ca, cert: readFileSync(files.cert, "utf8"), key: readFileSync(files.key, "utf8"), files, settings };
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}
