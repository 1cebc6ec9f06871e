import { basename, dirname } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { GUEST_REPOSITORY, ORDINARY_USER } from "../support/machine/debian-image.ts";
import { until } from "../support/until.ts";
import {
  MACHINE_MS,
  MACHINE_NEEDS,
  type VirtualMachine,
  startVirtualMachine,
} from "../support/machine/virtual-machine.ts";

type Opened = { readonly address: string };

/** Time limits for a server start with one browser, and for all tests of sandbox limits. */
const [SETUP_MS, LIMITS_MS] = [400_000, 900_000];

/** How many times slower the virtual machine is than this one. */
const SLOWNESS = 20;

const GROUPS = "/sys/fs/cgroup";
const DATA = "/var/tmp/data";
const LOG = "/var/tmp/server.log";

const SETTINGS = {
  RBS_DATA_DIR: DATA,
  RBS_WARM: "0",
  RBS_SPARE_SANDBOXES: "0",
  RBS_LAUNCH_TIMEOUT_S: "300",
};

const DELEGATED = ["--property=Delegate=yes"];
const OWN_SYSTEMD = ["--setenv=XDG_RUNTIME_DIR=/run/user/1000"];

/** How systemd starts the server, and the folder that contains the server's control groups. */
const SETUPS: Readonly<Record<string, { options: readonly string[]; command?: readonly string[]; folder: RegExp }>> = {
  "a service with Delegate=yes": { options: DELEGATED, folder: /^\/system\.slice\/server\.service$/ },
  // The service's own group has no CPU controller.
  "a service without Delegate=yes": { options: [], folder: /^\/$/ },
  "a service of an ordinary user with Delegate=yes": {
    options: [...DELEGATED, `--uid=${ORDINARY_USER}`],
    folder: /^\/system\.slice\/server\.service$/,
  },
  "an ordinary user's own scope, as described in docs/settings.md": {
    options: [`--uid=${ORDINARY_USER}`, ...OWN_SYSTEMD],
    command: ["systemd-run", "--user", "--scope", "-p", "Delegate=yes"],
    folder: /^\/user\.slice\/user-1000\.slice\/user@1000\.service\/app\.slice\/[^/]+\.scope$/,
  },
};

describe.skipIf(MACHINE_NEEDS !== "")(`with cgroup v2${MACHINE_NEEDS}`, () => {
  let machine: VirtualMachine;

  beforeAll(async () => {
    machine = await startVirtualMachine();
    await machine.run("systemctl start user@1000");
  }, MACHINE_MS);

  afterAll(() => machine?.[Symbol.asyncDispose]());

  afterEach(async () => {
    await machine.run(`systemctl stop server; systemctl reset-failed; rm -rf ${DATA} ${LOG}`);
    await until(listGroups, (groups) => groups.length === 0);
  }, SETUP_MS);

  async function listGroups(): Promise<string[]> {
    const found = await machine.run(`find ${GROUPS} -name 'rbs-*' -type d`);
    return found.split("\n").filter(Boolean);
  }

  /** Starts the server, and waits until it has opened a browser. */
  async function start(options: readonly string[], command: readonly string[] = []): Promise<void> {
    const output = ["StandardOutput", "StandardError"].map((name) => `--property=${name}=append:${LOG}`);
    const settings = Object.entries({ ...SETTINGS, PATH: "$PATH" }).map(([name, value]) => `--setenv=${name}=${value}`);
    const service = ["systemd-run", "--unit=server", `--working-directory=${GUEST_REPOSITORY}`, ...output, ...settings];
    await machine.run([...service, ...options, ...command, "node", "server/dist/main.js"].join(" "));
    const readiness =
      "curl --silent --fail --retry 300 --retry-delay 1 --retry-all-errors http://127.0.0.1:8080/readyz";
    await machine.run(`${readiness} || { cat ${LOG}; exit 1; }`, 300);
  }

  function call(method: string, body: object): Promise<string> {
    return machine.run(
      `token=$(sed -n 's/^Token: *\\(\\S*\\).*/\\1/p' ${DATA}/first-account.txt)
      curl --silent http://127.0.0.1:8080/api/v1/Browser/${method} --header "Authorization: Bearer $token" \
        --header "Content-Type: application/json" --data '${JSON.stringify(body)}'`,
      300,
    );
  }

  test.each(Object.entries(SETUPS))(
    "all of a browser's processes are in its group if the server is %s",
    async (_, { options, command, folder }) => {
      await start(options, command);
      const metrics = await machine.run("curl --silent http://127.0.0.1:8080/metrics");
      expect(/^rbs_control_groups (\d)$/m.exec(metrics)?.[1]).toBe("1");
      const { address } = JSON.parse(await call("Open", { Headless: true, Browser: 3, KeepOpen: 0 })) as Opened;
      const groups = await machine.run("cat $(pgrep chromium | sed 's|.*|/proc/&/cgroup|') | sort --unique");
      const [, tree = "", id] = /^0::(\S+)\/([\w-]+)\n$/.exec(groups) ?? [];
      expect({ folder: dirname(tree), name: basename(tree), id }).toEqual({
        folder: expect.stringMatching(folder) as string,
        name: expect.stringMatching(/^rbs-\d+-\w+$/) as string,
        id: expect.any(String) as string,
      });
      expect(JSON.parse(await call("Close", { address }))).toEqual({ status: 200 });
      await until(
        () => machine.run(`find ${GROUPS}${tree} -mindepth 1 -type d`),
        (left) => left.trim() === "",
      );
    },
    SETUP_MS,
  );

  test(
    "sandbox limits are enforced",
    async () => {
      // Runs without test variants, because tests without control groups don't depend on the cgroup version.
      const tests = "vitest run --project adapters server/src/adapters/broker/bounds.test.ts";
      const output = await machine.run(
        `cd ${GUEST_REPOSITORY} && systemd-run --scope --quiet --property=Delegate=yes \
        --setenv=RBS_PATIENCE=${SLOWNESS} --setenv=NO_COLOR=1 ${tests}`,
        LIMITS_MS / 1000,
      );
      expect(output).toMatch(/^ +Tests +11 passed \(11\)/m);
    },
    LIMITS_MS,
  );
});
