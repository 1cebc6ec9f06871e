/** The kernel features that sandboxes need. Each feature includes the previous ones. */
export const NEEDS = ["namespaces", "mounts", "proc", "sandbox", "nested"] as const;
export type Need = (typeof NEEDS)[number];

export const NEED_NAMES: Readonly<Record<Need, string>> = {
  namespaces: "User namespaces",
  mounts: "Mounts in user namespaces",
  proc: "A private /proc",
  sandbox: "A bubblewrap sandbox",
  nested: "Chromium's sandbox inside bubblewrap",
};

/** A failed attempt to use a kernel feature. */
export type Refusal = {
  readonly need: Need;
  readonly output: string;
};

/** The restrictions that can prevent programs from creating sandboxes. */
export type Restrictions = {
  /** Whether a system call filter (seccomp) applies. */
  readonly hasFilter: boolean;
  /** The AppArmor profile that applies; undefined: none. */
  readonly appArmor: string | undefined;
  /** Whether AppArmor removes programs' privileges in their namespaces, unless a profile allows them. */
  readonly doesAppArmorRestrict: boolean;
  /** Kernel settings that disable namespaces, each written as the `name=value` that would enable them. */
  readonly disabledBy: readonly string[];
  readonly hasNamespaces: boolean;
  /** Whether anything is mounted over parts of /proc. */
  readonly isProcMasked: boolean;
  /** Whether this process's root folder differs from the root of its mount namespace. */
  readonly isInChroot: boolean;
};

/** Why sandboxes can't be created, and what the operator can do about it. */
export type Blocker = { readonly what: string; readonly remedy: string };

export function describeBlocker({ what, remedy }: Blocker): string {
  return `${what}. To fix this: ${remedy}`;
}

export function findBlocker({ need, output }: Refusal, found: Restrictions): Blocker {
  if (/ENOENT|No such file or directory/.test(output))
    return { what: "A program is missing", remedy: `install util-linux and bubblewrap. ${output}` };
  if (!found.hasNamespaces)
    return { what: "The kernel has no user namespaces", remedy: "use a kernel with CONFIG_USER_NS=y" };
  if (found.disabledBy.length > 0)
    return {
      what: `The kernel's settings turn user namespaces off: ${found.disabledBy.map((each) => each.split("=")[0]).join(", ")}`,
      remedy: `as root of the machine: sysctl --write ${found.disabledBy.join(" ")}`,
    };
  if (/No space left on device/.test(output))
    return {
      what: "The limit on user namespaces has been reached",
      remedy: "as root of the machine: sysctl --write user.max_user_namespaces=100000",
    };
  if (found.isInChroot)
    return { what: "The server is in a chroot", remedy: "run the server in a container or directly on the machine" };
  if (need === "proc" && found.isProcMasked)
    return {
      what: "The container runtime masks parts of /proc",
      remedy: "Docker: --security-opt systempaths=unconfined; Kubernetes: procMount: Unmasked with hostUsers: false",
    };
  if (found.doesAppArmorRestrict && found.appArmor === undefined)
    return {
      what: "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns)",
      remedy: "as root of the machine: sysctl --write kernel.apparmor_restrict_unprivileged_userns=0",
    };
  // AppArmor denies access with EACCES, and a system call filter with EPERM.
  if (found.appArmor !== undefined && /Permission denied/.test(output))
    return {
      what: `The AppArmor profile ${found.appArmor} blocks sandboxes`,
      remedy: "load deploy/apparmor/rbs as root of the machine (docs/install.md); Docker: --security-opt apparmor=rbs",
    };
  if (found.hasFilter)
    return {
      what: "A system call filter (seccomp) blocks sandboxes",
      remedy: "Docker: --security-opt seccomp=deploy/seccomp.json; Kubernetes: the same file as a Localhost profile",
    };
  return { what: `It failed: ${output.trim()}`, remedy: "see docs/install.md" };
}
