import { execFile } from "node:child_process";
import { closeSync, constants, openSync, statfsSync } from "node:fs";
import { chmod, mkdir } from "node:fs/promises";
import { promisify } from "node:util";
import { allocate, control, mountDevice } from "../kernel/libc.ts";
import { FILES, mountShared, removeMounted } from "./memory-folders.ts";
import type { Disk } from "../requests.ts";
import type { Storage } from "./sandbox-folders.ts";

const MIB = 2 ** 20;

/** The file system type of tmpfs in statfs(2). */
const TMPFS = 0x0102_1994;

/** open(2): a file without a name, whose space is freed once nothing uses it. */
const O_TMPFILE = 0o20_200_000;

/** Requests to loop devices, from linux/loop.h. */
const [LOOP_CTL_GET_FREE, LOOP_CONFIGURE] = [0x4c82, 0x4c0a];

/** `struct loop_config`: its size, and the offsets of the file descriptor, the block size and the flags. */
const CONFIG = { bytes: 304, file: 0, block: 4, flags: 60 };

/** Flags that free the device once it is unused, and avoid a second copy of the file in memory. */
const [LO_FLAGS_AUTOCLEAR, LO_FLAGS_DIRECT_IO] = [4, 16];
const BLOCK_BYTES = 4096;

/** Another program may attach the free device first. */
const ATTACH_TRIES = 20;

/** Files don't outlive the sandbox, so the file system needs neither a journal nor write barriers. */
const FORMAT = [
  ...["-q", "-F", "-m", "0", "-b", String(BLOCK_BYTES), "-N", String(FILES)],
  ...["-O", "^has_journal,^resize_inode", "-E", "lazy_itable_init=1,nodiscard"],
];
const MOUNT_OPTIONS = "noinit_itable,barrier=0";

/**
 * Stores folders on disk. Each folder is a file system in a nameless file with reserved space, so sandboxes can't fill
 * the disk, and a killed server leaves nothing behind.
 * @throws {Error} If the disk's folder can't be used.
 */
export function openDiskStorage({ folder, reservedBytes }: Disk, sizeBytes: number): Storage {
  const place = `/proc/self/fd/${openSync(folder, constants.O_RDONLY | constants.O_DIRECTORY)}`;
  if (statfsSync(place).type === TMPFS)
    throw new Error(`${folder} is in memory. Set RBS_WORK_DIR to a folder on disk.`);
  return {
    async make(path) {
      await mkdir(path, { mode: 0o700 });
      try {
        using image = allocateImage(place, sizeBytes, reservedBytes);
        using device = attach(image.fd);
        await promisify(execFile)("/usr/sbin/mkfs.ext4", [...FORMAT, device.path]);
        await mountDevice(device.path, path, "ext4", MOUNT_OPTIONS);
        await chmod(path, 0o700);
        await mountShared(path);
      } catch (error) {
        await removeMounted(path);
        throw error;
      }
    },
    // A sandbox's memory limit doesn't affect how much it can store on disk.
    resize() {},
    remove: removeMounted,
  };
}

type Opened = Disposable & { readonly fd: number };

/** Allocates synchronously, so that no other sandbox can take the space after the check. */
function allocateImage(folder: string, bytes: number, reservedBytes: number): Opened {
  const { bavail, bsize } = statfsSync(folder);
  const freeBytes = bavail * bsize - reservedBytes;
  if (freeBytes < bytes) {
    throw new Error(
      `The disk of RBS_WORK_DIR is full: a browser needs ${bytes / MIB} MB (RBS_BROWSER_DISK_MB) besides the ` +
        `${reservedBytes / MIB} MB that must remain free, and only ${Math.max(0, Math.floor(freeBytes / MIB))} MB are left.`,
    );
  }
  const image = openFile(folder, constants.O_RDWR | O_TMPFILE);
  try {
    allocate(image.fd, bytes);
    return image;
  } catch (error) {
    image[Symbol.dispose]();
    throw error;
  }
}

/** Attaches a file to a loop device, which stays attached while it is open or mounted. */
function attach(file: number): Opened & { readonly path: string } {
  using devices = openFile("/dev/loop-control", constants.O_RDWR);
  const config = Buffer.alloc(CONFIG.bytes);
  config.writeUInt32LE(file, CONFIG.file);
  config.writeUInt32LE(BLOCK_BYTES, CONFIG.block);
  config.writeUInt32LE(LO_FLAGS_AUTOCLEAR | LO_FLAGS_DIRECT_IO, CONFIG.flags);
  for (let tries = 1; ; tries += 1) {
    const path = `/dev/loop${control(devices.fd, LOOP_CTL_GET_FREE, null)}`;
    const device = openFile(path, constants.O_RDWR);
    try {
      control(device.fd, LOOP_CONFIGURE, config);
      return { ...device, path };
    } catch (error) {
      device[Symbol.dispose]();
      if ((error as NodeJS.ErrnoException).code !== "EBUSY" || tries === ATTACH_TRIES) throw error;
    }
  }
}

function openFile(path: string, flags: number): Opened {
  const fd = openSync(path, flags, 0o600);
  return { fd, [Symbol.dispose]: () => closeSync(fd) };
}
