import { oneOf, type SwitchGroup } from "../switch-values.ts";

export const QUIET: SwitchGroup = {
  title: "Startup and background activity",
  rows: [
    ["--no-first-run", undefined, "No welcome page."],
    ["--no-default-browser-check", undefined, "No question about the default browser."],
    ["--disable-search-engine-choice-screen", undefined, "No question about the search engine."],
    ["--disable-default-apps", undefined, "No preinstalled apps."],
    ["--disable-sync", undefined, "No sync."],
    ["--disable-background-networking", undefined, "No background requests by the browser."],
    ["--disable-component-update", undefined, "No component updates."],
    ["--disable-domain-reliability", undefined, "No reports to Google about the reliability of sites."],
    ["--disable-field-trial-config", undefined, "No field trials."],
    ["--disable-background-timer-throttling", undefined, "Timers of pages in the background run at full speed."],
    ["--disable-backgrounding-occluded-windows", undefined, "Covered windows count as visible."],
    ["--disable-renderer-backgrounding", undefined, "Pages in the background keep their priority."],
    ["--disable-stack-profiler", undefined, "The browser does not profile itself."],
    ["--disable-updater-scheduler", undefined, "No checks for updates."],
    ["--metrics-recording-only", undefined, "Metrics are recorded, but not sent."],
    ["--disable-print-preview", undefined, "Printing shows no preview."],
    ["--disable-top-sites", undefined, "No list of the most visited sites."],
    ["--disable-auto-reload", undefined, "Failed pages aren't reloaded."],
    ["--disable-dinosaur-easter-egg", undefined, "No game on error pages."],
    ["--propagate-iph-for-testing", undefined, "No hints about new features."],
    ["--unsafely-disable-devtools-self-xss-warnings", undefined, "The console does not warn about pasted scripts."],
    ["--password-store", oneOf("basic"), "Stores passwords in the profile, which is the default."],
  ],
};
