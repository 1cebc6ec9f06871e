import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { go, isGenerated } from "../languages.ts";
import { renderGoAnswers } from "./answers.ts";
import { renderGoErrors } from "./errors.ts";
import { renderGoOptions } from "./options.ts";
import { toGoComment } from "./source.ts";

/** Returns a small contract for renderer tests. The given schemas are added to the default schemas or replace them. */
function contractWith(schemas: Readonly<Record<string, unknown>> = {}): Contract {
  const all = {
    BusyError: errorSchema("Busy", 503, "Nothing is free."),
    OpenOptions: object({ Label: { type: ["string", "null"], description: "A name.\n" } }),
    Proxy: object({ Host: { type: "string", description: "Where it is." } }, ["Host"]),
    SupportedBrowser: { type: "integer", enum: [0, 3], "x-enum-varnames": ["Chrome", "Shell"], description: "A kind." },
    Session: object({ vncpass: { type: ["string", "null"], description: "`null` while stopped." } }, ["vncpass"]),
    StartRemoteDesktopResult: object(
      { status: { const: 200 }, rfbUrl: { type: "string", description: "For viewers." } },
      ["status", "rfbUrl"],
    ),
    ...schemas,
  };
  return { components: { schemas: all } } as unknown as Contract;
}

function errorSchema(name: string, status: number, description: string): object {
  return { type: "object", description, properties: { status: { const: status }, name: { const: name } } };
}

function object(properties: object, required: readonly string[] = []): object {
  return { type: "object", description: "A thing. It is one.\n", required, properties };
}

const whole = JSON.parse(
  readFileSync(new URL("../../../openapi/generated/openapi.json", import.meta.url), "utf8"),
) as Contract;

test("rendered files are recognized as generated and have Go's generated-code header", () => {
  for (const [path, text] of go.render(whole)) {
    expect(isGenerated(path)).toBe(true);
    expect(text).toMatch(/^\/\/ Code generated .* DO NOT EDIT\.$/m);
  }
});

test("only the core files that our template creates are kept", () => {
  expect(go.core?.place("core.go")).toBe("internal/generated/core.go");
  expect(go.core?.place("client.go")).toBeUndefined();
  expect(go.core?.place("README.md")).toBeUndefined();
});

test("a nullable member is a pointer whose name follows Go naming", () => {
  const text = renderGoAnswers(contractWith());
  expect(text).toContain("\t// nil while stopped.\n\tVNCPass *string\n");
  expect(text).toContain("\tanswer.VNCPass = model.Vncpass\n");
});

test("a date is a time.Time, and the repeated HTTP status is omitted", () => {
  const startedOn = { type: "string", format: "date-time", description: "When." };
  const text = renderGoAnswers(contractWith({ Session: object({ startedOn }, ["startedOn"]) }));
  expect(text).toContain("\tStartedOn time.Time\n");
  expect(text).toContain("type Desktop struct {\n\t// For viewers.\n\tRFBURL string\n}");
  expect(text).not.toContain("Status");
});

test("a member that is never null must not be empty", () => {
  const text = renderGoAnswers(contractWith());
  expect(text).toContain('\tif answer.RFBURL == "" {\n\t\treturn answer, errors.New("it has no rfbUrl")\n\t}\n');
  expect(text).not.toContain("answer.VNCPass ==");
});

test("numbers, enums, lists and seconds have Go's types", () => {
  const text = renderGoAnswers(
    contractWith({
      Session: object(
        {
          clients: { type: "integer", description: "How many." },
          bytes: { type: ["integer", "null"], format: "int64", description: "How many." },
          browser: { $ref: "#/components/schemas/SupportedBrowser" },
          desktop: { type: "boolean", description: "Whether." },
          tags: { type: "array", items: { type: "string" }, description: "Which." },
          keepOpen: { type: ["number", "null"], description: "How long." },
        },
        ["clients", "bytes", "browser", "desktop", "tags", "keepOpen"],
      ),
    }),
  );
  for (const field of ["Clients int", "Bytes *int64", "Browser SupportedBrowser", "Desktop bool", "Tags []string"]) {
    expect(text).toContain(`\t${field}\n`);
  }
  expect(text).toContain("\tKeepOpen *time.Duration\n");
  expect(text).toContain("\tanswer.KeepOpen = toDuration(model.KeepOpen)\n");
  expect(text).toContain("\tanswer.Clients = int(model.Clients)\n");
});

test("a member that earlier versions don't send may be missing", () => {
  const id = { type: "string", description: "Which." };
  const clients = { type: "integer", description: "How many." };
  const text = renderGoAnswers(contractWith({ Session: object({ id, clients }) }));
  expect(text).toContain("do not send it: it is then empty.\n\tID string\n");
  expect(text).toContain("do not send it: it is then nil.\n\tClients *int\n");
  expect(text).toContain("\tanswer.ID = orZero(model.Id)\n");
  expect(text).toContain("\tanswer.Clients = toPointer[int](model.Clients)\n");
});

test("a Base64 member becomes bytes and must be required", () => {
  const image = { type: "string", format: "byte", description: "In Base64." };
  const text = renderGoAnswers(contractWith({ Screenshot: object({ image }, ["image"]) }));
  expect(text).toContain("The client decodes it to bytes.\n\tImage []byte\n");
  expect(text).toContain('\timage, err := toBytes("image", model.Image)\n');
  expect(() => renderGoAnswers(contractWith({ Screenshot: object({ image }) }))).toThrow("may be missing");
});

test("a member without a Go type is refused", () => {
  const contract = contractWith({ Session: object({ odd: { type: "object" } }, ["odd"]) });
  expect(() => renderGoAnswers(contract)).toThrow("There is no Go type for odd");
});

test("each option is a pointer, documented with the contract's description, and omitted if nil", () => {
  const text = renderGoOptions(contractWith());
  expect(text).toContain("\t// A name.\n\tLabel *string\n");
  expect(text).toContain("\tif o.Label != nil {\n\t\tmodel.Label = o.Label\n\t}\n");
});

test("a required option is a plain value and is always sent", () => {
  const Proxy = { $ref: "#/components/schemas/Proxy" };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ Proxy }) }));
  expect(text).toContain("\t// Where it is.\n\tHost string\n");
  expect(text).toContain("model := generated.Proxy{Host: o.Host}");
});

test("seconds are a time.Duration", () => {
  const KeepOpen = { type: ["number", "null"], description: "How many **seconds**." };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ KeepOpen }) }));
  expect(text).toContain("Given as a [time.Duration]; the service gets it in seconds.\n\tKeepOpen *time.Duration\n");
  expect(text).toContain("model.KeepOpen = Ptr(o.KeepOpen.Seconds())");
});

test("an integer becomes an int, converted to the core's type", () => {
  const integer = (format?: string) => ({ type: "integer", description: "How many.", ...(format && { format }) });
  const Pile = object({ Width: integer(), Weight: integer("int64"), Depth: integer() }, ["Width", "Weight"]);
  const reference = { $ref: "#/components/schemas/Pile" };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ Pile: reference }), Pile }));
  expect(text).toContain("\tWidth int\n");
  expect(text).toContain("\tDepth *int\n");
  expect(text).toContain("model := generated.Pile{Width: toInt32(o.Width), Weight: int64(o.Weight)}");
  expect(text).toContain("model.Depth = Ptr(toInt32(*o.Depth))");
});

test("browser kinds are constants with the contract's names and numbers", () => {
  expect(renderGoOptions(contractWith())).toContain("\tChrome SupportedBrowser = 0\n\tShell  SupportedBrowser = 3\n");
});

test("an option without a Go type is refused", () => {
  const contract = contractWith({ OpenOptions: object({ Odd: { type: "object" } }) });
  expect(() => renderGoOptions(contract)).toThrow("There is no Go type for Odd");
});

test("an option's object type is rendered once, with its own description", () => {
  const reference = { $ref: "#/components/schemas/Screen", description: "One screen." };
  const Screen = { ...object({ Depth: { type: "integer", description: "In bits." } }), description: "Any screen." };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ First: reference, Other: reference }), Screen }));
  expect(text).toContain("// Screen: any screen.\ntype Screen struct {\n");
  expect(text).toContain("model.Other = Ptr(o.Other.toCore())");
  expect(text.split("type Screen struct").length).toBe(2);
  expect(text).not.toContain("type Proxy struct");
});

test("Update's options are all members of its request except the members that identify the browser", () => {
  const keepOpen = { type: ["number", "null"], description: "How long." };
  const UpdateRequest = object({ address: { type: "string" }, id: { type: "string" }, keepOpen });
  const text = renderGoOptions(contractWith({ UpdateRequest }));
  expect(text).toContain("type UpdateOptions struct {\n\t// How long.");
  expect(text).toContain("func (o *UpdateOptions) toCore() generated.UpdateRequest {");
  expect(text).toContain("model.KeepOpen = Ptr(o.KeepOpen.Seconds())");
  expect(text).not.toContain("Address");
});

test("a timestamp is a time.Time", () => {
  const since = { type: ["string", "null"], format: "date-time", description: "When." };
  const text = renderGoOptions(contractWith({ HistoryRequest: object({ since }) }));
  expect(text).toContain("\tSince *time.Time\n");
  expect(text).toContain("model.Since = o.Since");
});

test("every error in the contract has a type that wraps an APIError and is selected by the error's name", () => {
  const text = renderGoErrors(contractWith());
  expect(text).toContain("// Nothing is free.\ntype BusyError struct {\n\t*APIError\n}");
  expect(text).toContain("func (e *BusyError) Unwrap() error { return e.APIError }");
  expect(text).toContain('\tcase "Busy":\n\t\treturn &BusyError{APIError: base}\n');
});

test("a new error requires a hand-written retry rule", () => {
  const text = renderGoErrors(contractWith({ NewError: errorSchema("New", 418, "It is new.") }));
  expect(text).toContain("var _ contractError = (*NewError)(nil)\n");
  expect(text).not.toMatch(/func .* retryRule\(/);
});

test("a list in an error becomes a field of the error's type", () => {
  const Problem = object({ path: { type: "string", description: "Where." } });
  const errors = { type: "array", description: "What is wrong.", items: { $ref: "#/components/schemas/Problem" } };
  const BadError = object({ status: { const: 400 }, name: { const: "Bad" }, errors });
  const text = renderGoErrors(contractWith({ Problem, BadError }));
  expect(text).toContain("\t// What is wrong.\n\tErrors []Problem\n");
  expect(text).toContain("type Problem struct {\n\t// Where.\n\tPath string\n}");
  expect(text).toContain('for _, item := range readList[generated.Problem](said["errors"]) {\n');
  expect(text).toContain("failure.Errors = append(failure.Errors, Problem{Path: item.Path})");
});

test("the core is imported only if an error uses it", () => {
  expect(renderGoErrors(contractWith())).not.toContain("import");
});

test("an error list whose elements aren't objects is refused", () => {
  const errors = { type: "array", items: { type: "string" } };
  const BadError = object({ status: { const: 400 }, name: { const: "Bad" }, errors });
  expect(() => renderGoErrors(contractWith({ BadError }))).toThrow("elements of errors");
});

test("Markdown is removed, null becomes nil, and error names become links to types", () => {
  const prose = "Counts **seconds**; `null` for none.\nFull: 503 `Busy`.";
  expect(toGoComment(contractWith(), prose)).toBe("// Counts seconds; nil for none. Full: 503 [BusyError].");
});

test("sentences about x-alias are removed, because Go names have only one spelling", () => {
  const prose = "It is one. Each member has an alternative spelling, given by `x-alias`.\n";
  expect(toGoComment(contractWith(), prose)).toBe("// It is one.");
});

test("paragraphs remain separate, and lines end before column 100", () => {
  const long = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");
  const lines = toGoComment(contractWith(), `${long}\n\nShort.`, "\t").split("\n");
  expect(lines.slice(-2)).toEqual(["\t//", "\t// Short."]);
  expect(lines.length).toBeGreaterThan(4);
  expect(Math.max(...lines.map((line) => line.length + 3))).toBeLessThanOrEqual(100);
});
