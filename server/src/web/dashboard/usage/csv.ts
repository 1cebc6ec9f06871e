// Spreadsheets treat cells that begin with these characters as formulas:
// https://owasp.org/www-community/attacks/CSV_Injection
const FORMULA = /^[=+\-@\t\r\n＝＋－＠]/;
const TO_QUOTE = /[",\r\n\t]|^ | $/;

/** A line of CSV (RFC 4180), including its line break. Values that look like formulas are marked as text. */
export function toCsvLine(cells: readonly (string | number)[]): string {
  return `${cells.map(toCell).join(",")}\r\n`;
}

function toCell(value: string | number): string {
  if (typeof value === "number") return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return TO_QUOTE.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
