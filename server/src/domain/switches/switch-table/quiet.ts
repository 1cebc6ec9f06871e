import { oneOf, type SwitchGroup } from "../switch-values.ts";

export const QUIET: SwitchGroup = {
  title: "Startup and background activity",
  rows: [
    ["--no-first-run", undefined, "No welcome page."],
    ["--no-default-browser-check", undefined, "Doesn't ask to become the default browser."],
    ["--disable-search-engine-choice-screen", undefined, "Doesn't ask which search engine to use."],
    ["--disable-default-apps", undefined, "No preinstalled apps."],
    ["--disable-sync", undefined, "No sync."],
    ["--disable-background-networking", undefined, "The browser makes no background requests."],
    ["--disable-component-update", undefined, "No component updates."],
    ["--disable-domain-reliability", undefined, "Doesn't report the reliability of sites to Google."],
    ["--disable-field-trial-config", undefined, "No field trials."],
    ["--disable-background-timer-throttling", undefined, "Timers in background pages run at full speed."],
    ["--disable-backgrounding-occluded-windows", undefined, "Treats covered windows as visible."],
    ["--disable-renderer-backgrounding", undefined, "Background pages keep their priority."],
    ["--disable-stack-profiler", undefined, "The browser doesn't profile itself."],
    ["--disable-updater-scheduler", undefined, "Doesn't check for updates."],
    ["--metrics-recording-only", undefined, "Records metrics, but doesn't send them."],
    ["--disable-print-preview", undefined, "Prints without a preview."],
    ["--disable-top-sites", undefined, "No list of the most visited sites."],
    ["--disable-auto-reload", undefined, "Pages that fail to load aren't reloaded."],
    ["--disable-dinosaur-easter-egg", undefined, "No game on error pages."],
    ["--propagate-iph-for-testing", undefined, "No hints about new features."],
    ["--unsafely-disable-devtools-self-xss-warnings", undefined, "The console doesn't warn about pasted scripts."],
    ["--password-store", oneOf("basic"), "Stores passwords in the profile, which is the default."],
  ],
};
