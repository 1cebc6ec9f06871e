// @ts-check
import { existsSync } from "node:fs";
import { askFontconfig, hasProgram, isExecutable } from "./programs.mjs";

/**
 * @typedef {object} Part A program or font that the system must have, detected by its files.
 * @property {string} name
 * @property {string} why
 * @property {"start" | "test" | "all"} usedBy The first of `npm start`, `npm test` and `npm run test:all` that uses it.
 * @property {"start" | "test" | "nothing"} stops The command that can't run without it.
 * @property {{ debian: string, fedora?: string, arch?: string }} packages Separated by spaces.
 * @property {() => boolean | Promise<boolean>} isPresent
 */

/** The paths at which the server finds browsers. It doesn't use the PATH, where wrappers add their own arguments. */
export const BROWSER_FILES = {
  chromium: ["/usr/lib/chromium/chromium", "/usr/lib64/chromium-browser/chromium-browser"],
  headlessShell: [
    "/usr/lib/chromium/chromium-headless-shell",
    "/usr/lib64/chromium-browser/headless_shell",
    "/opt/chrome-headless-shell/chrome-headless-shell",
  ],
};

/** One of Chromium's languages besides English. */
const LANGUAGE_FILES = ["/usr/lib/chromium/locales/de.pak", "/usr/lib64/chromium-browser/locales/de.pak"];

const ATOMIC_FILES = ["x86_64-linux-gnu", "aarch64-linux-gnu", "../lib64", "."].map(
  (folder) => `/usr/lib/${folder}/libatomic.so.1`,
);

const FAKETIME_FILES = ["x86_64-linux-gnu/faketime", "aarch64-linux-gnu/faketime", "faketime", "../lib64/faketime"].map(
  (folder) => `/usr/lib/${folder}/libfaketime.so.1`,
);

/** A language for each script that none of the other fonts has. */
const SCRIPT_LANGUAGES = "am ar bn gu he hi hy ka km kn lo ml my or pa si ta te th".split(" ");

/** Debian keeps the programs of each version in a folder of its own. */
const POSTGRES_FOLDERS = ["/usr/lib/postgresql", "/usr/bin/initdb"];

/** @type {readonly Part[]} In the order in which users see them. */
export const SYSTEM_PARTS = [
  {
    name: "Chromium",
    why: "the browser that is opened",
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
    why: "without them, --lang changes requests to sites, but not how pages format numbers and dates",
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
  {
    name: "Openbox",
    why: "moves, closes and raises pop-ups and dialogs of a graphical browser",
    usedBy: "start",
    stops: "start",
    packages: { debian: "openbox", fedora: "openbox", arch: "openbox" },
    isPresent: () => hasProgram("openbox"),
  },
  {
    name: "bubblewrap",
    why: "the sandbox around each browser",
    usedBy: "start",
    stops: "start",
    packages: { debian: "bubblewrap", fedora: "bubblewrap", arch: "bubblewrap" },
    isPresent: () => hasProgram("bwrap"),
  },
  {
    name: "socat",
    why: "connects to ports and sockets in tests of the sandbox",
    usedBy: "test",
    stops: "test",
    packages: { debian: "socat", fedora: "socat", arch: "socat" },
    isPresent: () => hasProgram("socat"),
  },
  {
    name: "util-linux",
    why: "`unshare`, the namespaces of the broker",
    usedBy: "start",
    stops: "start",
    packages: { debian: "util-linux", fedora: "util-linux", arch: "util-linux" },
    isPresent: () => hasProgram("unshare"),
  },
  {
    name: "fontconfig",
    why: "the font cache; without it every browser starts 0.4 s later",
    usedBy: "start",
    stops: "nothing",
    packages: { debian: "fontconfig", fedora: "fontconfig", arch: "fontconfig" },
    isPresent: () => hasProgram("fc-cache"),
  },
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
    why: "without it, emoji are empty boxes",
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
    name: "fonts of other scripts",
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
    why: "a proxy that tests send browsers through",
    usedBy: "test",
    stops: "test",
    packages: { debian: "tinyproxy-bin", fedora: "tinyproxy", arch: "tinyproxy" },
    isPresent: () => hasProgram("tinyproxy"),
  },
  {
    name: "ip",
    why: "tests cut connections with it",
    usedBy: "test",
    stops: "test",
    packages: { debian: "iproute2", fedora: "iproute", arch: "iproute2" },
    isPresent: () => hasProgram("ip"),
  },
  {
    name: "iptables",
    why: "tests break the connections of single servers with it",
    usedBy: "test",
    stops: "nothing",
    packages: { debian: "iptables", fedora: "iptables-nft", arch: "iptables" },
    isPresent: () => hasProgram("iptables"),
  },
  {
    name: "curl",
    why: "tests run the pages' commands with it",
    usedBy: "test",
    stops: "test",
    packages: { debian: "curl", fedora: "curl", arch: "curl" },
    isPresent: () => hasProgram("curl"),
  },
  {
    name: "libatomic",
    why: "the Node in Playwright for Python is linked with it",
    usedBy: "test",
    stops: "test",
    packages: { debian: "libatomic1", fedora: "libatomic", arch: "gcc-libs" },
    isPresent: () => ATOMIC_FILES.some((file) => existsSync(file)),
  },
  {
    name: "chromedriver",
    why: "tests drive browsers with it, as Selenium does; it must have the browser's version",
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
    why: "the database that several servers can share; tests start their own",
    usedBy: "test",
    stops: "test",
    packages: { debian: "postgresql", fedora: "postgresql-server", arch: "postgresql" },
    isPresent: () => POSTGRES_FOLDERS.some((folder) => existsSync(folder)),
  },
  {
    name: "PgBouncer",
    why: "shares connections to PostgreSQL; tests connect through it",
    usedBy: "test",
    stops: "test",
    packages: { debian: "pgbouncer", fedora: "pgbouncer", arch: "pgbouncer" },
    isPresent: () => hasProgram("pgbouncer"),
  },
  {
    name: "Docker engine",
    why: "one way to run Schemathesis in the conformance suite; its test starts its own engine",
    usedBy: "test",
    stops: "nothing",
    packages: { debian: "docker.io", fedora: "moby-engine", arch: "docker" },
    isPresent: () => hasProgram("dockerd") && hasProgram("docker"),
  },
  {
    name: "VNC viewer",
    why: "tests view desktops with it",
    usedBy: "test",
    stops: "test",
    packages: { debian: "tigervnc-viewer", fedora: "tigervnc", arch: "tigervnc" },
    isPresent: () => hasProgram("vncviewer"),
  },
  {
    name: "xdotool",
    why: "tests type into that viewer with it",
    usedBy: "test",
    stops: "test",
    packages: { debian: "xdotool", fedora: "xdotool", arch: "xdotool" },
    isPresent: () => hasProgram("xdotool"),
  },
  {
    name: "strace",
    why: "makes the disk of a server fail",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "strace", fedora: "strace", arch: "strace" },
    isPresent: () => hasProgram("strace"),
  },
  {
    name: "libfaketime",
    why: "sets the clock of a server",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "libfaketime", fedora: "libfaketime", arch: "libfaketime" },
    isPresent: () => FAKETIME_FILES.some((file) => existsSync(file)),
  },
  {
    name: "QEMU",
    why: "a virtual machine in which tests use systemd and version 2 of control groups",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "qemu-system-x86", fedora: "qemu-system-x86-core", arch: "qemu-system-x86" },
    isPresent: () => hasProgram("qemu-system-x86_64"),
  },
  {
    name: "binutils",
    why: "makes the Debian package smaller",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "binutils", fedora: "binutils", arch: "binutils" },
    isPresent: () => hasProgram("strip"),
  },
  {
    name: "debootstrap",
    why: "installs Debian in that machine",
    usedBy: "all",
    stops: "nothing",
    packages: { debian: "debootstrap e2fsprogs", fedora: "debootstrap e2fsprogs", arch: "debootstrap e2fsprogs" },
    isPresent: () => hasProgram("debootstrap") && hasProgram("mke2fs"),
  },
];
