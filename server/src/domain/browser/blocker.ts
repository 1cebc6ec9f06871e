/** The kernel features that sandboxes need. Each of them includes the previous ones. */
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
  /** Whether AppArmor removes programs' rights in their namespaces, unless a profile allows them. */
  readonly doesAppArmorRestrict: boolean;
  /** Kernel settings that turn namespaces off, as the `name=value` that turns them on. */
  readonly disabledBy: readonly string[];
  readonly hasNamespaces: boolean;
  /** Whether anything is mounted over parts of /proc. */
  readonly isProcMasked: boolean;
  /** Whether the root of this process's file system is not the root of its namespace. */
  readonly isInChroot: boolean;
};

/** Why sandboxes can't be created, and what the operator can do about it. */
export type Blocker = { readonly what: string; readonly remedy: string };

export function describeBlocker({ what, remedy }: Blocker): string {
  return `${what}. To allow it: ${remedy}`;
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
      what: "There are too many user namespaces",
      remedy: "as root of the machine: sysctl --write user.max_user_namespaces=100000",
    };
  if (found.isInChroot) return { what: "The server is in a chroot", remedy: "use a container or the machine itself" };
  if (need === "proc" && found.isProcMasked)
    return {
      what: "The container's runtime masks parts of /proc",
      remedy: "Docker: --security-opt systempaths=unconfined; Kubernetes: procMount: Unmasked with hostUsers: false",
    };
  if (found.doesAppArmorRestrict && found.appArmor === undefined)
    return {
      what: "AppArmor restricts user namespaces (kernel.apparmor_restrict_unprivileged_userns)",
      remedy: "as root of the machine: sysctl --write kernel.apparmor_restrict_unprivileged_userns=0",
    };
  // AppArmor's refusals are EACCES, a filter's refusals are EPERM.
  if (found.appArmor !== undefined && /Permission denied/.test(output))
    return {
      what: `AppArmor's profile ${found.appArmor} refuses it`,
      remedy: "load deploy/apparmor/rbs as root of the machine (docs/install.md); Docker: --security-opt apparmor=rbs",
    };
  if (found.hasFilter)
    return {
      what: "A filter for system calls (seccomp) refuses it",
      remedy: "Docker: --security-opt seccomp=deploy/seccomp.json; Kubernetes: the same file as a Localhost profile",
    };
  return { what: `It failed: ${output.trim()}`, remedy: "see docs/install.md" };
}
