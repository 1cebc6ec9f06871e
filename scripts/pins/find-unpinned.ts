/**
 * A workflow runs other code of its repository, a commit whose hash it names, or an image with a digest. A tag can be
 * moved.
 */
const PINNED = /^(?:\.\/\S*|[\w./-]+@[\da-f]{40} # v\d+\.\d+\.\d+\S*|docker:\/\/\S+@sha256:[\da-f]{64}(?: #.*)?)$/;

/** @param workflow The text of a workflow, or of an action made of steps. */
export function findUnpinned(workflow: string): readonly { readonly line: number; readonly action: string }[] {
  return workflow.split("\n").flatMap((text, index) => {
    const [, action] = /^(?!\s*#).*?\buses["']?\s*:\s*(.*?)\s*$/.exec(text) ?? [];
    return action === undefined || PINNED.test(action) ? [] : [{ line: index + 1, action }];
  });
}
