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

/** Values of `usedBy` and `stops` by the need for the part. */
const REQUIRED = /** @type {const} */ ({ usedBy: "start", stops: "start" });
const USEFUL = /** @type {const} */ ({ usedBy: "start", stops: "nothing" });
const TESTED = /** @type {const} */ ({ usedBy: "start", stops: "test" });
const TEST = /** @type {const} */ ({ usedBy: "test", stops: "test" });
const USEFUL_TEST = /** @type {const} */ ({ usedBy: "test", stops: "nothing" });
const SLOW_TEST = /** @type {const} */ ({ usedBy: "all", stops: "nothing" });

/**
 * A part that is one program.
 * @param {string} name In lower case, this is the default for the program's name and Debian's package.
 * @param {Pick<Part, "why" | "usedBy" | "stops">} about
 * @param {{ program?: string, debian?: string, fedora?: string, arch?: string }} [names] Packages that the other
 *   distributions don't rename have Debian's name.
 * @returns {Part}
 */
function programPart(name, about, names = {}) {
  const { program = name.toLowerCase(), debian = name.toLowerCase(), fedora = debian, arch = debian } = names;
  return { name, ...about, packages: { debian, fedora, arch }, isPresent: () => hasProgram(program) };
}

/** @type {readonly Part[]} In the order in which users see them. */
export const SYSTEM_PARTS = [
  {
    name: "Chromium",
    why: "the browser",
    ...REQUIRED,
    packages: { debian: "chromium", fedora: "chromium", arch: "chromium" },
    isPresent: () => BROWSER_FILES.chromium.some(isExecutable),
  },
  {
    name: "headless shell",
    why: "the small headless browser (Browser: 3)",
    ...TESTED,
    packages: { debian: "chromium-headless-shell", fedora: "chromium-headless" },
    isPresent: () => BROWSER_FILES.headlessShell.some(isExecutable),
  },
  {
    name: "Chromium's languages",
    why: "without them, --lang changes only requests, and not the format of numbers and dates in pages",
    ...TESTED,
    packages: { debian: "chromium-l10n", fedora: "chromium-common", arch: "chromium" },
    isPresent: () => LANGUAGE_FILES.some((file) => existsSync(file)),
  },
  programPart(
    "Xvnc",
    { why: "the desktop of a graphical browser", ...REQUIRED },
    { program: "Xvnc", debian: "tigervnc-standalone-server", fedora: "tigervnc-server-minimal", arch: "tigervnc" },
  ),
  programPart("Openbox", { why: "moves, closes and raises pop-ups and dialogs of a graphical browser", ...REQUIRED }),
  programPart("bubblewrap", { why: "the sandbox around each browser", ...REQUIRED }, { program: "bwrap" }),
  programPart("socat", { why: "connects to ports and sockets in sandbox tests", ...TEST }),
  programPart(
    "util-linux",
    { why: "`unshare`, which creates the broker's namespaces", ...REQUIRED },
    { program: "unshare" },
  ),
  programPart(
    "fontconfig",
    { why: "the font cache; without it every browser starts 0.4 s later", ...USEFUL },
    { program: "fc-cache" },
  ),
  {
    name: "Latin fonts",
    why: "pages use Arial, Times and Courier; these fonts have the same metrics",
    ...USEFUL,
    packages: { debian: "fonts-liberation", fedora: "liberation-fonts-all", arch: "ttf-liberation" },
    isPresent: async () => /Arial|Arimo|Helvetica|Liberation/.test(await askFontconfig("fc-match", "Arial")),
  },
  {
    name: "emoji font",
    why: "without this font, emoji are rendered as empty boxes",
    ...USEFUL,
    packages: { debian: "fonts-noto-color-emoji", fedora: "google-noto-color-emoji-fonts", arch: "noto-fonts-emoji" },
    isPresent: async () => (await askFontconfig("fc-list", ":color=true:charset=1f600")) !== "",
  },
  {
    name: "CJK font",
    why: "without it, Chinese, Japanese and Korean are empty boxes; this is the smallest font with all three",
    ...USEFUL,
    packages: { debian: "fonts-wqy-zenhei", fedora: "google-noto-sans-cjk-fonts", arch: "noto-fonts-cjk" },
    isPresent: async () => (await askFontconfig("fc-list", ":lang=zh-cn")) !== "",
  },
  {
    name: "fonts for other scripts",
    why: "without them, Hindi, Thai, Arabic, Hebrew, Amharic and others are empty boxes; these are the smallest packages",
    ...USEFUL,
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
  programPart(
    "tinyproxy",
    { why: "a proxy for browsers in tests", ...TEST },
    { debian: "tinyproxy-bin", fedora: "tinyproxy", arch: "tinyproxy" },
  ),
  programPart("ip", { why: "interrupts connections in tests", ...TEST }, { debian: "iproute2", fedora: "iproute" }),
  programPart(
    "iptables",
    { why: "blocks a single server's connections in tests", ...USEFUL_TEST },
    { fedora: "iptables-nft" },
  ),
  programPart("curl", { why: "runs the documentation's commands in tests", ...TEST }),
  {
    name: "libatomic",
    why: "required by the Node that Playwright for Python bundles",
    ...TEST,
    packages: { debian: "libatomic1", fedora: "libatomic", arch: "gcc-libs" },
    isPresent: () => ATOMIC_FILES.some((file) => existsSync(file)),
  },
  {
    name: "chromedriver",
    why: "tests drive browsers with it, like Selenium; its version must match the browser's",
    ...TEST,
    packages: { debian: "chromium-driver", fedora: "chromedriver" },
    isPresent: () => hasProgram("chromedriver"),
  },
  {
    name: "Java",
    why: "runs openapi-generator, and compiles the Java client and its tests",
    ...USEFUL_TEST,
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
    ...TEST,
    packages: { debian: "postgresql", fedora: "postgresql-server", arch: "postgresql" },
    isPresent: () => POSTGRES_FOLDERS.some((folder) => existsSync(folder)),
  },
  programPart("PgBouncer", { why: "shares connections to PostgreSQL; tests connect through it", ...TEST }),
  {
    name: "Docker engine",
    why: "one way to run Schemathesis in the conformance suite; the test starts its own engine",
    ...USEFUL_TEST,
    packages: { debian: "docker.io", fedora: "moby-engine", arch: "docker" },
    isPresent: () => hasProgram("dockerd") && hasProgram("docker"),
  },
  programPart(
    "VNC viewer",
    { why: "shows desktops in tests", ...TEST },
    { program: "vncviewer", debian: "tigervnc-viewer", fedora: "tigervnc", arch: "tigervnc" },
  ),
  programPart("xdotool", { why: "types into the VNC viewer in tests", ...TEST }),
  programPart("strace", { why: "simulates disk errors in tests", ...SLOW_TEST }),
  {
    name: "libfaketime",
    why: "changes a server's clock in tests",
    ...SLOW_TEST,
    packages: { debian: "libfaketime", fedora: "libfaketime", arch: "libfaketime" },
    isPresent: () => FAKETIME_FILES.some((file) => existsSync(file)),
  },
  programPart(
    "QEMU",
    { why: "a virtual machine for tests of systemd and control groups v2", ...SLOW_TEST },
    { program: "qemu-system-x86_64", debian: "qemu-system-x86", fedora: "qemu-system-x86-core" },
  ),
  programPart("binutils", { why: "makes the Debian package smaller", ...SLOW_TEST }, { program: "strip" }),
  {
    name: "debootstrap",
    why: "installs Debian in the tests' virtual machine",
    ...SLOW_TEST,
    packages: { debian: "debootstrap e2fsprogs", fedora: "debootstrap e2fsprogs", arch: "debootstrap e2fsprogs" },
    isPresent: () => hasProgram("debootstrap") && hasProgram("mke2fs"),
  },
];
