import { fileURLToPath } from "node:url";
import { readNotices } from "./notices/packages.ts";
import { renderNotices } from "./notices/render-notices.ts";
import { writeOrCheck } from "./write-or-check.ts";

writeOrCheck("THIRD_PARTY_NOTICES.md", renderNotices(readNotices(fileURLToPath(new URL("..", import.meta.url)))));
