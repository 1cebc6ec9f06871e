import { toLiteral } from "./way.ts";

/**
 * A program for Node that opens a browser, hands its address to a library, and closes it again.
 * @param use Statements that use `address`.
 */
export function toNodeProgram(url: string, { from, use }: { readonly from: string; readonly use: string }): string {
  return `${from}

const service = ${toLiteral(url)};

async function call(operation, body) {
  const answer = await fetch(\`\${service}/api/v1/Browser/\${operation}\`, {
    method: "POST",
    headers: { Authorization: \`Bearer \${process.env.RBS_TOKEN}\`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  const result = await answer.json();
  if (!answer.ok) throw new Error(\`\${operation}: \${result.name}: \${result.message}\`);
  return result;
}

const { address } = await call("Open", { Label: "quick start" });
try {
${use.replaceAll(/^(?=.)/gm, "  ")}
} finally {
  await call("Close", { address });
}
`;
}
