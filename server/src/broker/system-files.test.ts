import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type SandboxRig, openSandboxRig } from "../../test/support/browsers/browser-rig.ts";
import { openWorkFolder } from "../../test/support/browsers/real-host.ts";
import { findPrograms } from "./system-files.ts";

/** The only program installed for the sandbox, which tries to start other programs. */
const PERL = "/usr/bin/perl";

let rig: SandboxRig;
beforeAll(async () => {
  const program = { command: [PERL, "-e"], reads: [PERL], isBrowser: true, isFirst: false };
  rig = await openSandboxRig("sandbox", { probe: program });
});
afterAll(() => rig[Symbol.asyncDispose]());

async function runPerl(script: string): Promise<string> {
  await using program = await rig.sandbox.run({
    name: "probe",
    arguments: [script],
    environment: { PATH: "/usr/bin" },
  });
  await program.ended;
  return program.output.tail;
}

test("the only visible file that a program can execute is the one installed for it", async () => {
  const find = `
    use File::Find; use POSIX ();
    open(my $mounts, "<", "/proc/self/mounts");
    my %closed = map { (split)[1] => 1 } grep { (split)[3] =~ /\\bnoexec\\b/ } <$mounts>;
    find({ no_chdir => 1, wanted => sub {
      return $File::Find::prune = 1 if $closed{$_};
      print "$_\\n" if -f $_ && !-l $_ && !m{\\.so(\\.[^/]*)?$} && POSIX::access($_, POSIX::X_OK());
    } }, "/");
    print join(" ", grep { $closed{$_} } qw(/home/browser /tmp /dev/shm /usr/share /proc)), "\\n";`;
  expect(await runPerl(find)).toBe(`${PERL}\n/home/browser /tmp /dev/shm /usr/share /proc\n`);
});

/** Ways to execute a file that a program has written: its copy of Perl, a script, or a library. Written in Perl. */
const WAYS: Readonly<Record<string, string>> = {
  "the script": '"$file.pl"',
  "the program": '"$file", "-e", "print qq(ran)"',
  "the program, through the loader": '(glob("/lib*/ld-linux-*"))[0], "$file", "-e", "print qq(ran)"',
  "the program, by file descriptor": '"/proc/self/fd/" . fileno($held), "-e", "print qq(ran)"',
  "the script, through a shell": '"/bin/sh", "$file.pl"',
  "a folder, by Python": '"/usr/bin/python3", $folder',
};

test.each(["/home/browser", "/tmp", "/dev/shm"])(
  "files that a program has written to %s can't be executed",
  async (folder) => {
    const ways = Object.entries(WAYS).map(
      ([name, command]) => `print "${name} ", system({ (${command})[0] } ${command}) == 0 ? "runs" : "fails", "\n";`,
    );
    const script = `
    use File::Copy; $| = 1; $^F = 1000; my $folder = "${folder}"; my $file = "$folder/file";
    copy("${PERL}", $file); chmod(0755, $file);
    open(my $out, ">", "$file.pl"); print $out "#!${PERL}\nprint qq(ran);"; close($out); chmod(0755, "$file.pl");
    open(my $held, "<", $file);
    ${ways.join("\n")}
    copy((glob("/lib/*/libm.so.6"), "/lib64/libm.so.6")[0], "$file.so"); $ENV{LD_PRELOAD} = "$file.so";
    system("${PERL}", "-e", 'open(M, "/proc/self/maps"); print "libraries ", scalar(grep { / r-xp .*file/ } <M>)');`;
    expect(await runPerl(script)).toBe(
      `${Object.keys(WAYS)
        .map((name) => `${name} fails\n`)
        .join("")}libraries 0`,
    );
  },
);

test("programs among libraries are found; a folder without libraries is reported as a whole", () => {
  using folder = openWorkFolder();
  for (const [name, mode] of [
    ["libc.so.6", 0o755],
    ["tool", 0o755],
    ["notes", 0o644],
    ["only/inner/tool", 0o755],
    ["mixed/loader.so", 0o644],
    ["mixed/tool", 0o755],
    ["plugins.so.d/tool", 0o755],
    ["browser/browser", 0o755],
  ] as const) {
    const path = join(folder.path, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, "");
    chmodSync(path, mode);
  }
  const { paths } = findPrograms([join(folder.path, "browser")], folder.path);
  expect(paths.toSorted()).toEqual(
    ["mixed/tool", "only", "plugins.so.d", "tool"].map((name) => join(folder.path, name)),
  );
});
