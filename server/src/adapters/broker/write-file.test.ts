import { lstatSync, mkdirSync, readFileSync, readdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type CellRig, openCellRig } from "../../../test/support/browser-rig.ts";
import { PLACES } from "../../../test/support/real-host.ts";

describe.each(PLACES)("a file written into a cell that is %s", (place) => {
  let rig: CellRig;
  beforeEach(async () => {
    rig = await openCellRig(place);
  });
  afterEach(() => rig[Symbol.asyncDispose]());

  test("is its programs' own, with the folders it lies in, and nobody else's", async () => {
    await Promise.all([rig.cell.writeFile("some/folder/one", "1"), rig.cell.writeFile("some/folder/two", "2")]);
    const { folder } = rig.cell;
    const looks = ["some", "some/folder", "some/folder/one"].map((name) => {
      const { mode, uid, gid } = statSync(join(folder, name));
      return [(mode & 0o777).toString(8), uid, gid];
    });
    const { uid, gid } = statSync(folder);
    expect(looks).toEqual([
      ["700", uid, gid],
      ["700", uid, gid],
      ["600", uid, gid],
    ]);
    expect(await rig.run("cd; cat some/folder/*; echo 3 >>some/folder/one; cat some/folder/one")).toBe("1213\n");
  });

  test("takes the place of nothing, and goes nowhere that a link leads to", async () => {
    const outside = join(rig.root, "outside");
    mkdirSync(outside);
    writeFileSync(join(outside, "victim"), "precious");
    symlinkSync(join(outside, "victim"), join(rig.cell.folder, "file"));
    symlinkSync(join(outside, "new"), join(rig.cell.folder, "dangling"));
    symlinkSync(outside, join(rig.cell.folder, "folder"));
    await rig.cell.writeFile("mine", "first");
    for (const name of ["file", "dangling", "folder/new", "folder/victim", "mine"]) {
      await expect(rig.cell.writeFile(name, "x")).rejects.toThrow("EEXIST");
    }
    expect(readdirSync(outside)).toEqual(["victim"]);
    expect(readFileSync(join(outside, "victim"), "utf8")).toBe("precious");
    expect(lstatSync(join(outside, "victim")).uid).toBe(process.getuid?.());
    expect(readFileSync(join(rig.cell.folder, "mine"), "utf8")).toBe("first");
  });
});
