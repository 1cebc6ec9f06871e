/** Switches refused for the same reason, matched by name or pattern. */
type RefusedFamily = {
  readonly title: string;
  /** Completes "… is not allowed: …". */
  readonly reason: string;
  readonly names: readonly `--${string}`[];
  readonly pattern?: RegExp;
};

export const REFUSED: readonly RefusedFamily[] = [
  {
    title: "They run programs",
    reason: "it runs programs",
    names: [
      "--renderer-cmd-prefix",
      "--gpu-launcher",
      "--utility-cmd-prefix",
      "--ppapi-plugin-launcher",
      "--plugin-launcher",
      "--zygote-cmd-prefix",
      "--nacl-loader-cmd-prefix",
      "--nacl-gdb",
      "--browser-subprocess-path",
      "--ppapi-flash-path",
      "--register-pepper-plugins",
      "--utility-and-browser",
      "--type",
    ],
    pattern: /-cmd-prefix$|-launcher$|subprocess|^--ppapi-|^--nacl-|pepper/,
  },
  {
    title: "Pause startup until a debugger attaches",
    reason: "the browser would wait for a debugger that never attaches",
    names: [
      "--browser-startup-dialog",
      "--renderer-startup-dialog",
      "--gpu-startup-dialog",
      "--utility-startup-dialog",
      "--wait-for-debugger",
      "--wait-for-debugger-children",
      "--wait-for-debugger-on-navigation",
    ],
    pattern: /-startup-dialog$|wait-for-debugger/,
  },
  {
    title: "Load extensions and apps",
    reason: "it loads code from files, and your files aren't on the machine",
    names: [
      "--load-extension",
      "--disable-extensions-except",
      "--load-component-extension",
      "--load-apps",
      "--load-and-launch-app",
      "--pack-extension",
      "--install-isolated-web-app-from-file",
      "--install-isolated-web-app-from-url",
    ],
    pattern: /^--(load|install|pack)-|extensions-except/,
  },
  {
    title: "Choose the profile",
    reason: "every browser gets a fresh profile of its own",
    names: ["--user-data-dir", "--profile-directory", "--data-path", "--homedir", "--restore-last-session"],
    pattern: /^--profile-/,
  },
  {
    title: "Read or write files",
    reason: "it reads or writes files; use DevTools for screenshots and downloads",
    names: [
      "--disk-cache-dir",
      "--log-file",
      "--log-net-log",
      "--net-log-capture-mode",
      "--ssl-key-log-file",
      "--crash-dumps-dir",
      "--trace-startup",
      "--trace-startup-file",
      "--trace-config-file",
      "--use-file-for-fake-video-capture",
      "--use-file-for-fake-audio-capture",
      "--initial-preferences-file",
    ],
    pattern: /-(dir|directory|file|path|log)$|^--trace-|^--log-|^--enable-tracing/,
  },
  {
    title: "Run a headless command and exit immediately",
    reason: "it can't be combined with DevTools; use DevTools instead",
    names: [
      "--screenshot",
      "--print-to-pdf",
      "--dump-dom",
      "--repl",
      "--timeout",
      "--virtual-time-budget",
      "--default-background-color",
    ],
  },
  {
    title: "Change the DevTools port",
    reason: "the service chooses the port",
    names: [
      "--remote-debugging-port",
      "--remote-debugging-pipe",
      "--remote-debugging-address",
      "--remote-debugging-socket-name",
      "--remote-debugging-targets",
    ],
    pattern: /^--remote-/,
  },
  {
    title: "They move traffic",
    reason: "the Proxy option decides where traffic goes",
    names: [
      "--proxy-server",
      "--proxy-bypass-list",
      "--proxy-pac-url",
      "--proxy-auto-detect",
      "--no-proxy-server",
      "--no-system-proxy-config-service",
    ],
    pattern: /proxy/,
  },
  {
    title: "Change name resolution or bypass the proxy",
    reason: "only the proxy resolves names and opens connections",
    names: [
      "--host-resolver-rules",
      "--host-rules",
      "--origin-to-force-quic-on",
      "--enable-quic",
      "--quic-version",
      "--testing-fixed-http-port",
      "--testing-fixed-https-port",
    ],
    pattern: /^--host-|quic|^--dns-over-|^--testing-fixed-/,
  },
  {
    title: "Choose whether and where the browser is displayed",
    reason: "the Headless option controls this, and the service provides a screen for every graphical browser",
    names: ["--headless", "--display", "--ozone-platform", "--ozone-platform-hint"],
    pattern: /^--headless|^--ozone-/,
  },
  {
    title: "Configure the screen",
    reason: "--window-size and --force-device-scale-factor, which are allowed, set the screen",
    names: ["--screen-info", "--screen-config"],
  },
  {
    title: "They open pages",
    reason: "open pages over DevTools",
    names: ["--app", "--app-id"],
  },
];

/** Unknown switches are refused because every Chromium version adds switches, and some are dangerous. */
export const UNKNOWN_REASON = "this service's list of allowed switches doesn't contain it";
