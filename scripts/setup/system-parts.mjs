// @ts-check
import { existsSync } from "node:fs";
import { askFontconfig, hasProgram, isExecutable } from "./programs.mjs";

/**
 * @typedef {object} Part A program or font that the set-up installs from system packages.
 * @property {string} name
 * @property {string} why
 * @property {"start" | "test" | "all"} usedBy The first of `npm start`, `npm test` and `npm run test:all` that uses it.
 * @property {"start" | "test" | "nothing"} stops The command that can't run without the part.
 * @property {{ debian: string, fedora?: string, arch?: string }} packages Separated by spaces.
 * @property {() => boolean | Promise<boolean>} isPresent
 */

/** The paths at which the server looks for browsers. The PATH would lead to wrappers that add their own arguments. */
export const BROWSER_FILES = {
  chromium: ["/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"],
  headlessShell: [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/opt/chrome-headless-shell/chrome-headless-shell",
  ],
};

/** One of Chromium's languages, other than English. */
const LANGUAGE_FILES = ["/usr/lib/chromium/locales/de.pak", "/usr/lib64/chromium-browser/locales/de.pak"];

const ATOMIC_FILES = ["x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64", "."].map(
  (folder) => `/usr/lib/${folder}/libatomic.so.1`,
);

const FAKETIME_FILES = ["x86_64-linux-gnu/faketime", "aarch64-linux-gnu/faketime", "faketime", "../lib64/faketime"].map(
  (folder) => `/usr/lib/${folder}/libfaketime.so.1`,
);

/** One language for each script that isn't covered by the other fonts. */
const SCRIPT_LANGUAGES = "am ar bn gu he hi hy ka km kn lo ml my or pa si ta te th".split(" ");

/** Debian installs each version's programs in a separate folder. */
const POSTGRES_FOLDERS = ["/usr/lib/postgresql", "/usr/bin/initdb"];

/**
 * A program that all distributions package under the same name.
 * @param {string} name In lower case, this is the package's name.
 * @param {Pick<Part, "why" | "usedBy" | "stops">} about
 * @param {string} [program] Default: the package's name.
 * @returns {Part}
 */
function packaged(name, about, program = name.toLowerCase()) {
  const debian = name.toLowerCase();
  return { name, ...about, packages: { debian, fedora: debian, arch: debian }, isPresent: () => hasProgram(program) };
}

/** @type {readonly Part[]} In the order in which users see them. */
export const SYSTEM_PARTS = [
  {
    name: "Chromium",
    why: "the browser",
    usedBy: "start",
    stops: "start",
    packages: { debian: "chromium", fedora: "chromium", arch: "chromium" },
    isPresent: () => BROWSER_FILES.chromium.some(isExecutable),
  },
  {
    name: "headless shell",
    why: "the small headless browser (Browser: 3)",
    usedBy: "start",
    stops: "test",
    packages: { debian: "chromium-headless-shell", fedora: "chromium-headless" },
    isPresent: () => BROWSER_FILES.headlessShell.some(isExecutable),
  },
  {
    name: "Chromium's languages",
    why: "without them, --lang changes only requests, and not the format of numbers and dates in pages",
    usedBy: "start",
    stops: "test",
    packages: { debian: "chromium-l10n", fedora: "chromium-common", arch: "chromium" },
    isPresent: () => LANGUAGE_FILES.some((file) => existsSync(file)),
  },
  {
    name: "Xvnc",
    why: "the desktop of a graphical browser",
    usedBy: "start",
    stops: "start",
    packages: { debian: "tigervnc-standalone-server", fedora: "tigervnc-server-minimal", arch: "tigervnc" },
    isPresent: () => hasProgram("Xvnc"),
  },
  packaged("Openbox", {
    why: "moves, closes and raises pop-ups and dialogs of a graphical browser",
    usedBy: "start",
    stops: "start",
  }),
  packaged("bubblewrap", { why: "the sandbox around each browser", usedBy: "start", stops: "start" }, "bwrap"),
  packaged("socat", { why: "connects to ports and sockets in sandbox tests", usedBy: "test", stops: "test" }),
  packaged(
    "util-linux",
    { why: "`unshare`, which creates the broker's namespaces", usedBy: "start", stops: "start" },
    "unshare",
  ),
  packaged(
    "fontconfig",
    { why: "the font cache; without it every browser starts 0.4 s later", usedBy: "start", stops: "nothing" },
    "fc-cache",
  ),
  {
    name: "Latin fonts",
    why: "pages use Arial, Times and Courier; these fonts have the same metrics",
    usedBy: "start",
    stops: "nothing",
    packages: { debian: "fonts-liberation", fedora: "liberation-fonts-all", arch: "ttf-liberation" },
    isPresent: async () => /Arial|Arimo|Helvetica|Liberation/.test(await askFontconfig("fc-match", "Arial")),
  },
  {
    name: "emoji font",
    why: "without this font, emoji are rendered as empty boxes",
    usedBy: "start",
    stops: "nothing",
    packages: {
      debian: "fonts-noto-color-emoji",
      fedora: "google-noto-color-emoji-fonts",
      arch: "noto-fonts-emoji",
    },
    isPresent: async () => (await askFontconfig("fc-list", ":color=true:charset=1f600")) !== "",
  },
  {
    name: "CJK font",
    why: "without it, Chinese, Japanese and Korean are empty boxes; this is the smallest font with all three",
    usedBy: "start",
    stops: "nothing",
    packages: { debian: "fonts-wqy-zenhei", fedora: "google-noto-sans-cjk-fonts", arch: "noto-fonts-cjk" },
    isPresent: async () => (await askFontconfig("fc-list", ":lang=zh-cn")) !== "",
  },
  {
    name: "fonts for other scripts",
    why: "without them, Hindi, Thai, Arabic, Hebrew, Amharic and others are empty boxes; these are the smallest packages",
    usedBy: "start",
    stops: "nothing",
    packages: {
      debian: "fonts-noto-ui-core fonts-sil-abyssinica fonts-dejavu-core",
      fedora: "default-fonts-other-sans",
      arch: "noto-fonts",
    },
    isPresent: async () => {
      const known = new Set((await askFontconfig("fc-list", ":", "lang")).split(/[|\n]/));
      return SCRIPT_LANGUAGES.every((language) => known.has(language));
    },
  },
  {
    name: "tinyproxy",
    why: "a proxy for browsers in tests",
    usedBy: "test",
    stops: "test",
    packages: { debian: "tinyproxy-bin", fedora: "tinyproxy", arch: "tinyproxy" },
    isPresent: () => hasProgram("tinyproxy"),
  },
  {
    name: "ip",
    why: "interrupts connections in tests",
    usedBy: "test",
    stops: "test",
    packages: { debian: "iproute2", fedora: "iproute", arch: "iproute2" },
    isPresent: () => hasProgram("ip"),
  },
  {
    name: "iptables",
    why: "blocks a single server's connections in tests",
    usedBy: "test",
    stops: "nothing",
    packages: { debian: "iptables", fedora: "iptables-nft", arch: "iptables" },
    isPresent: () => hasProgram("iptables"),
  },
  packaged("curl", { why: "runs the documentation's commands in tests", usedBy: "test", stops: "test" }),
  {
    name: "libatomic",
    why: "required by the Node that Playwright for Python bundles",
    usedBy: "test",
    stops: "test",
    packages: { debian: "libatomic1", fedora: "libatomic", arch: "gcc-libs" },
    isPresent: () => ATOMIC_FILES.some((file) => existsSync(file)),
  },
  {
    name: "chromedriver",
    why: "tests drive browsers with it, like Selenium; its version must match the browser's",
    usedBy: "test",
    stops: "test",
    packages: { debian: "chromium-driver", fedora: "chromedriver" },
    isPresent: () => hasProgram("chromedriver"),
  },
  {
    name: "Java",
    why: "runs openapi-generator, and compiles the Java client and its tests",
    usedBy: "test",
    stops: "nothing",
    packages: {
      debian: "default-jdk-headless maven",
      fedora: "java-latest-openjdk-devel maven",
      arch: "jdk-openjdk maven",
    },
    isPresent: () => hasProgram("javac") && hasProgram("mvn"),
  },
  {
    name: "PostgreSQL",
    why: "the database for several servers; tests start their own",
    usedBy: "test",
    stops: "test",
    packages: { debian: "postgresql", fedora: "postgresql-server", arch: "postgresql" },
    isPresent: () => POSTGRES_FOLDERS.some((folder) => existsSync(folder)),
  },
  packaged("PgBouncer", {
    why: "shares connections to PostgreSQL; tests connect through it",
    usedBy: "test",
    stops: "test",
  }),
  {
    name: "Docker engine",
    why: "one way to run Schemathesis in the conformance suite; the test starts its own engine",
    usedBy: "test",
    stops: "nothing",
    packages: { debian: "docker.io", fedora: "moby-engine", arch: "docker" },
    isPresent: () => hasProgram("dockerd") && hasProgram("docker"),
  },
  {
    name: "VNC viewer",
    why: "shows desktops in tests",
    usedBy: "test",
    stops: "test",
    packages: { debian: "tigervnc-viewer", fedora: "tigervnc", arch: "tigervnc" },
    isPresent: () => hasProgram("vncviewer"),
  },
  packaged("xdotool", { why: "types into the VNC viewer in tests", usedBy: "test", stops: "test" }),
  packaged("strace", { why: "simulates disk errors in tests", usedBy: "all", stops: "nothing" }),
  {
    name: "libfaketime",
    why: "changes a server's clock in tests",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "libfaketime", fedora: "libfaketime", arch: "libfaketime" },
    isPresent: () => FAKETIME_FILES.some((file) => existsSync(file)),
  },
  {
    name: "QEMU",
    why: "a virtual machine for tests of systemd and control groups v2",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "qemu-system-x86", fedora: "qemu-system-x86-core", arch: "qemu-system-x86" },
    isPresent: () => hasProgram("qemu-system-x86_64"),
  },
  packaged("binutils", { why: "makes the Debian package smaller", usedBy: "all", stops: "nothing" }, "strip"),
  {
    name: "debootstrap",
    why: "installs Debian in the tests' virtual machine",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "debootstrap e2fsprogs", fedora: "debootstrap e2fsprogs", arch: "debootstrap e2fsprogs" },
    isPresent: () => hasProgram("debootstrap") && hasProgram("mke2fs"),
  },
];
