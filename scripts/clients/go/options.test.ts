import { expect, test } from "vitest";
import { renderGoOptions } from "./options.ts";
import { contractWith, object } from "./contract.fixtures.ts";

test("an option is a pointer with the contract's description, and is not sent when it is nil", () => {
  const text = renderGoOptions(contractWith());
  expect(text).toContain("\t// A name.\n\tLabel *string\n");
  expect(text).toContain("\tif o.Label != nil {\n\t\tmodel.SetLabel(*o.Label)\n\t}\n");
});

test("a required option is not a pointer, and is always sent", () => {
  const Proxy = { $ref: "#/components/schemas/Proxy" };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ Proxy }) }));
  expect(text).toContain("\t// Where it is.\n\tHost string\n");
  expect(text).toContain("model := generated.NewProxy(o.Host)");
});

test("seconds are a time.Duration", () => {
  const KeepOpen = { type: ["number", "null"], description: "How many **seconds**." };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ KeepOpen }) }));
  expect(text).toContain("Given as a [time.Duration]; the service gets it in seconds.\n\tKeepOpen *time.Duration\n");
  expect(text).toContain("model.SetKeepOpen(o.KeepOpen.Seconds())");
});

test("an integer is an int, which is converted to the core's type", () => {
  const integer = (format?: string) => ({ type: "integer", description: "How many.", ...(format && { format }) });
  const Pile = object({ Width: integer(), Weight: integer("int64"), Depth: integer() }, ["Width", "Weight"]);
  const reference = { $ref: "#/components/schemas/Pile" };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ Pile: reference }), Pile }));
  expect(text).toContain("\tWidth int\n");
  expect(text).toContain("\tDepth *int\n");
  expect(text).toContain("model := generated.NewPile(toInt32(o.Width), int64(o.Weight))");
  expect(text).toContain("model.SetDepth(toInt32(*o.Depth))");
});

test("kinds of browsers are constants with the contract's names and numbers", () => {
  expect(renderGoOptions(contractWith())).toContain("\tChrome SupportedBrowser = 0\n\tShell  SupportedBrowser = 3\n");
});

test("an option of a type without a Go type is refused", () => {
  const contract = contractWith({ OpenOptions: object({ Odd: { type: "object" } }) });
  expect(() => renderGoOptions(contract)).toThrow("There is no Go type for Odd");
});

test("an object that an option refers to is rendered once, with its own description", () => {
  const reference = { $ref: "#/components/schemas/Screen", description: "One screen." };
  const Screen = { ...object({ Depth: { type: "integer", description: "In bits." } }), description: "Any screen." };
  const text = renderGoOptions(contractWith({ OpenOptions: object({ First: reference, Other: reference }), Screen }));
  expect(text).toContain("// Screen: any screen.\ntype Screen struct {\n");
  expect(text).toContain("model.SetOther(o.Other.toCore())");
  expect(text.split("type Screen struct").length).toBe(2);
  expect(text).not.toContain("type Proxy struct");
});

test("the options of Update are those of its request without the browser", () => {
  const keepOpen = { type: ["number", "null"], description: "How long." };
  const UpdateRequest = object({ address: { type: "string" }, id: { type: "string" }, keepOpen });
  const text = renderGoOptions(contractWith({ UpdateRequest }));
  expect(text).toContain("type UpdateOptions struct {\n\t// How long.");
  expect(text).toContain("func (o *UpdateOptions) toCore() generated.UpdateRequest {");
  expect(text).toContain("model.SetKeepOpen(o.KeepOpen.Seconds())");
  expect(text).not.toContain("Address");
});

test("a moment is a time.Time", () => {
  const since = { type: ["string", "null"], format: "date-time", description: "When." };
  const text = renderGoOptions(contractWith({ HistoryRequest: object({ since }) }));
  expect(text).toContain("\tSince *time.Time\n");
  expect(text).toContain("model.SetSince(*o.Since)");
});
