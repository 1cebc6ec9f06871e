import { writeFileSync } from "node:fs";
import { flushCompileCache } from "node:module";
import process from "node:process";
import type { Rights } from "../../ports/rights.ts";
import type { User } from "./user.ts";

const ROOT: User = { name: "root", uid: 0, gid: 0 };

/** Asks the kernel to kill other programs first if memory runs out. Some containers don't allow this. */
export function avoidOutOfMemory(): void {
  try {
    writeFileSync("/proc/self/oom_score_adj", "-900");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EACCES") throw error;
  }
}

/** Makes a root process act as another user. @throws {Error} If the process can't switch to that user. */
export function actAs(user: User): Rights {
  process.setgroups?.([]);
  become(user);
  return {
    async asRoot(step) {
      become(ROOT);
      try {
        return await step();
      } finally {
        become(user);
      }
    },
    giveUp() {
      become(ROOT);
      // The compile cache's folder belongs to root.
      flushCompileCache();
      process.setgid?.(user.gid);
      process.setuid?.(user.uid);
      if (canReturn()) throw new Error("This process could not give up root's rights.");
    },
  };
}

/** Changes the effective user of all threads. */
function become({ name, uid, gid }: User): void {
  try {
    if (uid === ROOT.uid) process.seteuid?.(uid);
    process.setegid?.(gid);
    if (uid !== ROOT.uid) process.seteuid?.(uid);
  } catch (cause) {
    throw new Error(`The server can't run as user ${name}. Set RBS_USER to another user.`, { cause });
  }
}

function canReturn(): boolean {
  try {
    process.seteuid?.(ROOT.uid);
    return true;
  } catch {
    return false;
  }
}
