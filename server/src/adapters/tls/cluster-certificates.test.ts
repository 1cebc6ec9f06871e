import { renameSync, unlinkSync, writeFileSync } from "node:fs";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { FakeClock } from "../../../test/fakes/fake-clock.ts";
import { RecordingLog } from "../../../test/fakes/recording-log.ts";
import { type Authority, type Issued, openAuthority } from "../../../test/support/proxies/authority.ts";
import { ordinaryRights } from "../../ports/rights.ts";
import { openClusterCertificates } from "./cluster-certificates.ts";

const DAY_MS = 86_400_000;

let authority: Authority;
let own: Issued;
let clock: FakeClock;
beforeEach(() => {
  authority = openAuthority();
  own = authority.issue("DNS:worker.example,IP:10.0.0.2");
  clock = new FakeClock(new Date().toISOString());
});
afterEach(() => authority[Symbol.dispose]());
const other = openAuthority();
afterAll(() => other[Symbol.dispose]());

function open(host?: string, log = new RecordingLog()) {
  return openClusterCertificates({ files: own.files, host, clock, log, rights: ordinaryRights });
}

test.each([undefined, "worker.example", "10.0.0.2"])(
  "the certificate files of a server at %s are accepted",
  async (host) => {
    using certificates = await open(host);
    expect(certificates.current).toEqual({ ca: own.ca, cert: own.cert, key: own.key });
  },
);

test.each<[string, () => void, string]>([
  ["the CA file is missing", () => unlinkSync(own.files.ca), "RBS_CLUSTER_CA_FILE: the server can't read <ca>."],
  [
    "the CA file is empty",
    () => writeFileSync(own.files.ca, ""),
    "RBS_CLUSTER_CA_FILE: <ca> doesn't have certificates in PEM format.",
  ],
  [
    "the certificate file contains the key",
    () => writeFileSync(own.files.cert, own.key),
    "RBS_CLUSTER_CERT_FILE: <cert> doesn't have certificates in PEM format.",
  ],
  [
    "the key file contains the certificate",
    () => writeFileSync(own.files.key, own.cert),
    "RBS_CLUSTER_KEY_FILE: <key> doesn't have a private key in PEM format without a password.",
  ],
  [
    "the key belongs to another certificate",
    () => writeFileSync(own.files.key, authority.issue("DNS:worker.example").key),
    "RBS_CLUSTER_KEY_FILE: <key> is not the key of the certificate in <cert>.",
  ],
  [
    "the certificate is signed by another authority",
    () => writeFileSync(own.files.ca, other.issue("DNS:a").ca),
    "RBS_CLUSTER_CERT_FILE: <cert> isn't signed by an authority in <ca>.",
  ],
  [
    "it has expired",
    () => (clock = new FakeClock("2126-01-01T00:00:00.000Z")),
    "RBS_CLUSTER_CERT_FILE: <cert> expired at ",
  ],
  ["the certificate isn't valid yet", () => clock.set(-DAY_MS), "RBS_CLUSTER_CERT_FILE: <cert> is valid from "],
])("startup fails with an error that names the file if %s", async (_, spoil, message) => {
  spoil();
  const { ca, cert, key } = own.files;
  await expect(open()).rejects.toThrow(message.replace("<ca>", ca).replace("<cert>", cert).replace("<key>", key));
  expect(clock.pending).toBe(0);
});

test.each(["other.example", "10.0.0.3"])(
  "a certificate that isn't valid for the worker's host, %s, is rejected",
  async (host) => {
    await expect(open(host)).rejects.toThrow(
      `RBS_CLUSTER_CERT_FILE: ${own.files.cert} isn't valid for ${host}, the host in RBS_WORKER_URL. It is valid for DNS:worker.example, IP Address:10.0.0.2.`,
    );
  },
);

test("during a rotation, the CA file can contain two authorities", async () => {
  writeFileSync(own.files.ca, other.issue("DNS:a").ca + own.ca);
  (await open())[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});

test("renewed files take effect within 30 s, once they all match", async () => {
  const log = new RecordingLog();
  using certificates = await open("worker.example", log);
  let renewals = 0;
  certificates.onRenewed(() => (renewals += 1));
  const renewed = authority.issue("DNS:worker.example");
  await clock.pass(60_000);
  expect(log.lines).toEqual([]);

  writeFileSync(own.files.cert, renewed.cert);
  await clock.pass(60_000);
  expect(certificates.current.cert).toBe(own.cert);
  expect(log.lines).toEqual([{ event: "certificates.not_renewed", facts: { error: expect.any(Error) } }]);
  expect(String(log.lines[0]?.facts?.["error"])).toContain("is not the key of the certificate");

  renameSync(renewed.files.key, own.files.key);
  await clock.pass(30_000);
  expect(certificates.current).toEqual({ ca: own.ca, cert: renewed.cert, key: renewed.key });
  expect(renewals).toBe(1);
  expect(log.lines.at(-1)?.event).toBe("certificates.renewed");
});

test("disposing stops reading", async () => {
  (await open())[Symbol.dispose]();
  expect(clock.pending).toBe(0);
});
