import type { DefaultTreeAdapterTypes } from "parse5";
import { cleanText, reduceAttributes } from "./attributes.ts";
import { isInvisible, ruleOf } from "./elements.ts";

type Node = DefaultTreeAdapterTypes.ChildNode;
type Parent = DefaultTreeAdapterTypes.ParentNode;
type Element = DefaultTreeAdapterTypes.Element;

/** Placeholders for verbatim white space while other white space is collapsed. `cleanText` removes them from text. */
const [CONTENT_SPACE, CONTENT_BREAK] = ["\uE000", "\uE001"];

/** Renders a tree as compact HTML, one line per block. Only suitable for answering questions about the page. */
export function render(root: Parent): string {
  return renderChildren(root, false)
    .replace(/ {2,}/g, " ")
    .replace(/ ?\n[ \n]*/g, "\n")
    .trim()
    .replaceAll(CONTENT_SPACE, " ")
    .replaceAll(CONTENT_BREAK, "\n")
    .toWellFormed();
}

function renderChildren(parent: Parent, isVerbatim: boolean): string {
  let text = "";
  for (const child of parent.childNodes) text += renderNode(child, isVerbatim);
  return text;
}

function renderNode(node: Node, isVerbatim: boolean): string {
  if ("tagName" in node) return renderElement(node, isVerbatim);
  return node.nodeName === "#text" && "value" in node ? renderText(node.value, isVerbatim) : "";
}

function renderText(value: string, isVerbatim: boolean): string {
  const shown = isVerbatim
    ? value
        .split(/\r?\n/)
        .map((line) => line.split(/[ \t]/).map(cleanText).join(CONTENT_SPACE))
        .join(CONTENT_BREAK)
    : cleanText(value);
  return shown.replaceAll("<", "&lt;");
}

function renderElement(element: Element, isVerbatim: boolean): string {
  if (isInvisible(element)) return "";
  const { tagName } = element;
  if (tagName === "br") return isVerbatim ? CONTENT_BREAK : "\n";
  const rule = ruleOf(tagName);
  const content = renderChildren(element, isVerbatim || rule.isVerbatim);
  const attributes = reduceAttributes(element);
  const edge = rule.isInline ? "" : "\n";
  const isEmpty = content.trim() === "";
  // An empty element may separate two words.
  if (isEmpty && !attributes.isInformative && !rule.isShownEmpty) return content === "" ? edge : " ";
  if (rule.isPlain && attributes.text === "") return `${edge}${content}${edge}`;
  const start = `${edge}<${tagName}${attributes.text}>`;
  return rule.isVoid ? `${start}${edge}` : `${start}${content}</${tagName}>${edge}`;
}
