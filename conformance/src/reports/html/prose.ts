import { type Markup, markup } from "./markup.ts";

/** The Markdown syntax in the contract: `code`, **bold**, *italics* and [links](shown as text). */
const MARKS = /`([^`]+)`|\*\*([^*]+)\*\*|\*([^*]+)\*|\[([^\]]+)\]\([^)]*\)/g;

export function prose(text: string): Markup {
  const pieces: Markup[] = [];
  let end = 0;
  for (const match of text.matchAll(MARKS)) {
    const [whole, code, bold, stressed, link] = match;
    pieces.push(markup`${text.slice(end, match.index)}`);
    if (code !== undefined) pieces.push(markup`<code>${code}</code>`);
    else if (bold !== undefined) pieces.push(markup`<strong>${bold}</strong>`);
    else if (stressed !== undefined) pieces.push(markup`<em>${stressed}</em>`);
    else pieces.push(markup`${link ?? ""}`);
    end = match.index + whole.length;
  }
  return markup`${pieces}${text.slice(end)}`;
}
