import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readLedger } from "../../../scripts/ledger/ledger.ts";
import { GUEST_REPOSITORY, ORDINARY_USER } from "../support/machine/debian-image.ts";
import {
  MACHINE_MS,
  MACHINE_NEEDS,
  type VirtualMachine,
  startVirtualMachine,
} from "../support/machine/virtual-machine.ts";

const NAME = "remote-browser-service";
const DATA = `/var/lib/${NAME}`;
/** The time limit for a server start on the emulated machine. */
const READY_S = 240;
const PACKAGE = `${GUEST_REPOSITORY}/dist/*.deb`;
/** Time limit for a few server starts and one browser, in ms. */
const SLOW_MS = 900_000;

const METRICS_TOKEN = "a-token-from-the-credential-store";

/** A profile that refuses mounts, like container engines' profiles. */
const ENGINE_PROFILE = "profile engine { file, network, capability, signal, ptrace, umount, }";

const OPEN = { Headless: true, Browser: 3, KeepOpen: 0 };

/** Runs a program as an ordinary user without capabilities under an AppArmor profile, as in a container. */
function underProfile(profile: string, command: string): string {
  const user = `setpriv --reuid ${ORDINARY_USER} --regid ${ORDINARY_USER} --clear-groups --bounding-set=-all`;
  return `aa-exec --profile ${profile} -- ${user} env RBS_LAUNCH_TIMEOUT_S=300 ${command}`;
}

describe.skipIf(MACHINE_NEEDS !== "")(`the Debian package${MACHINE_NEEDS}`, () => {
  let machine: VirtualMachine;

  beforeAll(async () => {
    machine = await startVirtualMachine();
  }, MACHINE_MS);

  afterAll(() => machine?.[Symbol.asyncDispose]());

  async function untilReady(): Promise<void> {
    const curl = `curl --silent --fail --retry ${READY_S} --retry-delay 1 --retry-all-errors --retry-max-time ${READY_S}`;
    const journal = `journalctl --no-pager --lines 30 --unit ${NAME}`;
    await machine.run(`${curl} http://127.0.0.1:8080/readyz || { ${journal}; exit 1; }`, READY_S + 60);
  }

  /** Opens a browser. @returns The control group of the browser's processes. */
  async function openBrowser(): Promise<string> {
    const answer = await machine.run(
      `token=$(sed -n 's/^Token: *\\(\\S*\\).*/\\1/p' ${DATA}/first-account.txt)
      curl --silent http://127.0.0.1:8080/api/v1/Browser/Open --header "Authorization: Bearer $token" \
        --header "Content-Type: application/json" --data '${JSON.stringify(OPEN)}'`,
      300,
    );
    expect(JSON.parse(answer)).toMatchObject({ status: 200 });
    return machine.run("cat $(pgrep chromium | sed 's|.*|/proc/&/cgroup|') | sort --unique");
  }

  test(
    "runs after apt has installed it, with each browser in its own group",
    async () => {
      expect(Number(await machine.run(`stat --format=%s ${PACKAGE}`)) / 1e6).toBeLessThan(
        readLedger().megabytes["package"] ?? 0,
      );
      await machine.run(`apt-get install --yes --no-install-recommends ${PACKAGE}`, 600);
      await untilReady();
      // The emulated processor is slow.
      await machine.run(`echo RBS_LAUNCH_TIMEOUT_S=300 >> /etc/${NAME}/settings && systemctl restart ${NAME}`, 120);
      await untilReady();
      expect(await openBrowser()).toMatch(new RegExp(`^0::/system\\.slice/${NAME}\\.service/rbs-\\S+\\n$`));
      const users = await machine.run("ps -o user= -C node,MainThread | sort | uniq --count");
      expect(users).toMatch(/\b1880096768\b/);
    },
    SLOW_MS,
  );

  test(
    "runs with the same account after the machine restarts",
    async () => {
      const account = await machine.run(`cat ${DATA}/first-account.txt`);
      await machine.reboot();
      await untilReady();
      expect(await machine.run(`cat ${DATA}/first-account.txt`)).toBe(account);
      await openBrowser();
    },
    SLOW_MS,
  );

  test(
    "reads secrets from systemd's credential store",
    async () => {
      await machine.run(
        `mkdir --parents --mode 700 /etc/credstore &&
        echo ${METRICS_TOKEN} > /etc/credstore/${NAME}.RBS_METRICS_TOKEN && systemctl restart ${NAME}`,
        120,
      );
      await untilReady();
      const status = (options: string): Promise<string> =>
        machine.run(
          `curl --silent --output /dev/null --write-out '%{http_code}' ${options} http://127.0.0.1:8080/metrics`,
        );
      expect(await status("")).toMatch(/^401\b/);
      expect(await status(`--header 'Authorization: Bearer ${METRICS_TOKEN}'`)).toMatch(/^200\b/);
      await machine.run(`rm /etc/credstore/${NAME}.RBS_METRICS_TOKEN`);
    },
    SLOW_MS,
  );

  test(
    "doctor finds no problem, and names an AppArmor profile that refuses mounts; the image's profile allows them",
    async () => {
      const doctor = `${NAME} doctor`;
      expect(await machine.run(`RBS_LAUNCH_TIMEOUT_S=300 ${doctor}`, 300)).not.toMatch(/^ +NO/m);
      const load = `apparmor_parser --replace ${GUEST_REPOSITORY}/deploy/apparmor/rbs`;
      await machine.run(`${load} && echo '${ENGINE_PROFILE}' | apparmor_parser --replace`);
      await expect(machine.run(underProfile("engine", doctor), 300)).rejects.toThrow(
        /The AppArmor profile engine blocks sandboxes\. To fix this: .*apparmor=rbs/,
      );
      expect(await machine.run(underProfile("rbs", doctor), 300)).toContain("opened in");
    },
    SLOW_MS,
  );

  test(
    "keeps its account and settings when it is upgraded, or removed and installed again",
    async () => {
      const readKept = (): Promise<string> => machine.run(`cat ${DATA}/first-account.txt /etc/${NAME}/settings`);
      const kept = await readKept();
      const next = "/var/tmp/next";
      await machine.run(
        `dpkg-deb --raw-extract ${PACKAGE} ${next} && sed --in-place 's/^Version: .*/&.next/' ${next}/DEBIAN/control &&
        dpkg-deb -Znone --build ${next} ${next}.deb && systemctl disable ${NAME}`,
        600,
      );
      const install = `apt-get install --yes --no-install-recommends ${next}.deb`;
      for (const command of [install, `systemctl enable ${NAME} && apt-get remove --yes ${NAME} && ${install}`]) {
        const readPid = `systemctl show --property MainPID ${NAME}`;
        const pid = await machine.run(readPid);
        await machine.run(command, 600);
        await untilReady();
        expect(await machine.run(readPid)).not.toBe(pid);
        expect(await readKept()).toBe(kept);
      }
      expect(await machine.run(`dpkg-query --show --showformat '\${Version}' ${NAME}`)).toMatch(/\.next$/m);
    },
    SLOW_MS,
  );

  test(
    "stores browsers' files on disk if its settings say so",
    async () => {
      await machine.run(
        `printf "RBS_BROWSER_DISK=disk\nRBS_BROWSER_DISK_MB=128\n" >> /etc/${NAME}/settings && systemctl restart ${NAME}`,
        120,
      );
      await untilReady();
      await openBrowser();
      expect(await machine.run("losetup --list --noheadings")).toContain("/");
    },
    SLOW_MS,
  );

  test(
    "leaves only its data behind when purged",
    async () => {
      await machine.run(`apt-get purge --yes ${NAME}`, 300);
      const left = `find / -xdev -name '*${NAME}*' -not -path '${GUEST_REPOSITORY}/*' -not -path '/var/log/*' -not -path '/var/tmp/*'`;
      expect(await machine.run(left, 300)).toMatch(new RegExp(`^${DATA}\\n$`));
      await expect(machine.run("pgrep chromium")).rejects.toThrow("ended with 1");
    },
    SLOW_MS,
  );
});
