/** Policies that users can't change, which prevent browsers from starting programs. */
const POLICIES = {
  // Extensions can start neither the machine's programs nor programs named in users' files.
  NativeMessagingBlocklist: ["*"],
  NativeMessagingUserLevelHosts: false,
  // Some of the service's own switches would show a 56-pixel bar above each page.
  CommandLineFlagSecurityWarningsEnabled: false,
  // If enabled, chrome://policy/test could replace these policies.
  PolicyTestPageEnabled: false,
};

/** Policy folders of Chromium, Google Chrome and Chrome for Testing. */
const FOLDERS = ["/etc/chromium", "/etc/opt/chrome", "/etc/opt/chrome_for_testing"];

/** Contents of the policy files by path. */
export const POLICY_FILES = Object.fromEntries(
  FOLDERS.map((folder) => [`${folder}/policies/managed/service.json`, JSON.stringify(POLICIES)]),
);
