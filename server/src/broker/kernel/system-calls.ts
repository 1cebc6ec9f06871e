/** A system call's number by architecture, if it exists there. */
export type SystemCall = { readonly x64?: number; readonly arm64?: number };

/** `mseal` from Linux 6.10, on all architectures. In sandboxes, newer system calls don't exist. */
export const NEWEST = 462;

/** System calls that browsers don't need, and that sandboxes refuse. */
export const REFUSED: Readonly<Record<string, SystemCall>> = {
  // Control other processes, or read their memory.
  ptrace: { x64: 101, arm64: 117 },
  process_vm_readv: { x64: 310, arm64: 270 },
  process_vm_writev: { x64: 311, arm64: 271 },
  process_madvise: { x64: 440, arm64: 440 },
  pidfd_getfd: { x64: 438, arm64: 438 },
  kcmp: { x64: 312, arm64: 272 },
  move_pages: { x64: 279, arm64: 239 },
  migrate_pages: { x64: 256, arm64: 238 },
  // Calls that change the file system, or open files without a path.
  setns: { x64: 308, arm64: 268 },
  mount: { x64: 165, arm64: 40 },
  umount2: { x64: 166, arm64: 39 },
  pivot_root: { x64: 155, arm64: 41 },
  open_tree: { x64: 428, arm64: 428 },
  move_mount: { x64: 429, arm64: 429 },
  fsopen: { x64: 430, arm64: 430 },
  fsconfig: { x64: 431, arm64: 431 },
  fsmount: { x64: 432, arm64: 432 },
  fspick: { x64: 433, arm64: 433 },
  mount_setattr: { x64: 442, arm64: 442 },
  statmount: { x64: 457, arm64: 457 },
  listmount: { x64: 458, arm64: 458 },
  name_to_handle_at: { x64: 303, arm64: 264 },
  open_by_handle_at: { x64: 304, arm64: 265 },
  fanotify_init: { x64: 300, arm64: 262 },
  quotactl: { x64: 179, arm64: 60 },
  quotactl_fd: { x64: 443, arm64: 443 },
  swapon: { x64: 167, arm64: 224 },
  swapoff: { x64: 168, arm64: 225 },
  // Expose large parts of the kernel, including many of its vulnerabilities.
  io_uring_setup: { x64: 425, arm64: 425 },
  io_uring_enter: { x64: 426, arm64: 426 },
  io_uring_register: { x64: 427, arm64: 427 },
  bpf: { x64: 321, arm64: 280 },
  perf_event_open: { x64: 298, arm64: 241 },
  userfaultfd: { x64: 323, arm64: 282 },
  // Queues requests against a limit that all programs on the machine share.
  io_setup: { x64: 206, arm64: 0 },
  // Access keys that don't belong to a namespace.
  keyctl: { x64: 250, arm64: 219 },
  add_key: { x64: 248, arm64: 217 },
  request_key: { x64: 249, arm64: 218 },
  // Calls that allocate memory outside of any process.
  shmget: { x64: 29, arm64: 194 },
  semget: { x64: 64, arm64: 190 },
  msgget: { x64: 68, arm64: 186 },
  mq_open: { x64: 240, arm64: 180 },
  memfd_secret: { x64: 447, arm64: 447 },
  // Change the machine.
  kexec_load: { x64: 246, arm64: 104 },
  kexec_file_load: { x64: 320, arm64: 294 },
  init_module: { x64: 175, arm64: 105 },
  finit_module: { x64: 313, arm64: 273 },
  delete_module: { x64: 176, arm64: 106 },
  reboot: { x64: 169, arm64: 142 },
  acct: { x64: 163, arm64: 89 },
  syslog: { x64: 103, arm64: 116 },
  settimeofday: { x64: 164, arm64: 170 },
  clock_settime: { x64: 227, arm64: 112 },
  adjtimex: { x64: 159, arm64: 171 },
  clock_adjtime: { x64: 305, arm64: 266 },
  vhangup: { x64: 153, arm64: 58 },
  lookup_dcookie: { x64: 212, arm64: 18 },
  iopl: { x64: 172 },
  ioperm: { x64: 173 },
  modify_ldt: { x64: 154 },
};

/** System calls that are allowed depending on their arguments. */
export const CONDITIONAL = {
  clone: { x64: 56, arm64: 220 },
  // A filter can't read this call's arguments, which are in memory.
  clone3: { x64: 435, arm64: 435 },
  unshare: { x64: 272, arm64: 97 },
  socket: { x64: 41, arm64: 198 },
  socketpair: { x64: 53, arm64: 199 },
  setsockopt: { x64: 54, arm64: 208 },
  getsockopt: { x64: 55, arm64: 209 },
  ioctl: { x64: 16, arm64: 29 },
  memfd_create: { x64: 319, arm64: 279 },
  mmap: { x64: 9, arm64: 222 },
} as const satisfies Readonly<Record<string, SystemCall>>;
