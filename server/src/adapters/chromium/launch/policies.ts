/** Policies that users can't change. They keep browsers from starting programs, and leave the rest as it is. */
const POLICIES = {
  // Extensions can't start programs of the machine, and no files of users name such programs.
  NativeMessagingBlocklist: ["*"],
  NativeMessagingUserLevelHosts: false,
  // Some of the service's own switches would show a bar over each page, which takes 56 pixels from it.
  CommandLineFlagSecurityWarningsEnabled: false,
  // The page chrome://policy/test would replace these policies.
  PolicyTestPageEnabled: false,
};

/** Where Chromium, Google Chrome and Chrome for Testing read them. */
const FOLDERS = ["/etc/chromium", "/etc/opt/chrome", "/etc/opt/chrome_for_testing"];

/** The files of these policies: their texts by their paths. */
export const POLICY_FILES = Object.fromEntries(
  FOLDERS.map((folder) => [`${folder}/policies/managed/service.json`, JSON.stringify(POLICIES)]),
);
