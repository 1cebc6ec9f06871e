import { renderArguments } from "./arguments/render-arguments.ts";
import { writeOrCheck } from "./write-or-check.ts";

writeOrCheck("docs/arguments.md", renderArguments());
