import { quote, type SwitchValue } from "./switch-values.ts";

/** A group of refused features, and the reason for refusing them. */
export type FeatureRule = { readonly pattern: RegExp; readonly names: string; readonly reason: string };

/** Enabling these features would give pages the browser's internal interfaces, or connections that bypass the proxy. */
export const ENABLING_REFUSED: readonly FeatureRule[] = [
  { pattern: /^MojoJS/i, names: "`MojoJS…`", reason: "it exposes the browser's internal interfaces to pages" },
  {
    pattern: /DirectSockets|^(TCP|UDP)Socket/i,
    names: "`…DirectSockets…`",
    reason: "it opens connections that bypass the proxy",
  },
  {
    pattern: /IsolatedWebApp/i,
    names: "`IsolatedWebApp…`",
    reason: "isolated web apps may open connections that bypass the proxy",
  },
  { pattern: /InProcess/i, names: "`…InProcess…`", reason: "it moves part of the browser out of its sandbox" },
];

/** Disabling any of these removes a sandbox. The Privacy Sandbox and frames' `sandbox` attribute are unrelated. */
export const DISABLING_REFUSED: readonly FeatureRule[] = [
  {
    pattern: /^(?!PrivacySandbox)(?!\w*Sandboxed(?:I?Frames?|Srcdoc))\w*(Sandbox|Seccomp|Landlock)/i,
    names: "`…Sandbox…` (but not `PrivacySandbox…`, `IsolateSandboxedIframes`)",
    reason: "it is part of the browser's sandbox",
  },
  {
    pattern: /^(NetworkService|NetworkServiceOutOfProcess)$/i,
    names: "`NetworkService`, `NetworkServiceOutOfProcess`",
    reason: "it moves part of the browser out of its sandbox",
  },
];

/** Enabling or disabling these features redirects traffic. */
export const MOVING_REFUSED: readonly FeatureRule[] = [
  { pattern: /proxy/i, names: "`…Proxy…`", reason: "the Proxy option decides where traffic goes" },
];

/**
 * Many lists copied from the web contain these features. The service drops these features: it decides where the network
 * service runs, and disabling them would only weaken protection.
 */
export const ENABLING_DROPPED: ReadonlySet<string> = new Set(["NetworkServiceInProcess", "NetworkServiceInProcess2"]);
export const DISABLING_DROPPED: ReadonlySet<string> = new Set(["AudioServiceOutOfProcess", "AudioServiceSandbox"]);

const FORM = "names of features, such as `Translate,MediaRouter`";
/** A feature name, optionally with the parameters that `--enable-features` allows: `Name:key/value/key/value`. */
const FEATURE = /^[A-Za-z][\w-]{0,99}(:[\w.%-]{1,100}\/[\w.%-]{1,100}(\/[\w.%-]{1,100}\/[\w.%-]{1,100}){0,9})?$/;

export const ENABLED_FEATURES = features([...ENABLING_REFUSED, ...MOVING_REFUSED], ENABLING_DROPPED);
export const DISABLED_FEATURES = features([...DISABLING_REFUSED, ...MOVING_REFUSED], DISABLING_DROPPED);

function features(refused: readonly FeatureRule[], dropped: ReadonlySet<string>): SwitchValue {
  return {
    form: FORM,
    isList: true,
    read(text) {
      // Generated lists may be empty or have a trailing comma.
      const names = text.split(",").map((name) => name.trim());
      const used = names.filter((name) => name !== "" && !dropped.has(name));
      for (const name of used) {
        if (!FEATURE.test(name)) return { problem: `expected ${FORM}, not ${quote(name)}` };
        const rule = refused.find(({ pattern }) => pattern.test(name));
        if (rule !== undefined) return { problem: `${name} is not allowed: ${rule.reason}` };
      }
      return { value: used.join(",") };
    },
  };
}
