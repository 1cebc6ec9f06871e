import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Contract } from "../../../openapi/scripts/contract.ts";
import { renderTypescript } from "../languages.ts";

const CONTRACT = readFileSync(new URL("../../../openapi/generated/openapi.json", import.meta.url), "utf8");

type Schemas = Record<string, { properties?: Record<string, object>; required?: string[] } & Record<string, unknown>>;

/** Renders a file from an edited contract. */
function render(file: string, edit: (schemas: Schemas) => void = () => {}): string {
  const contract = JSON.parse(CONTRACT) as Contract;
  edit(contract.components.schemas as unknown as Schemas);
  return renderTypescript(contract).get(`src/generated/${file}.ts`) ?? "";
}

/** Adds an option to Open. */
const withOption = (wire: string, schema: object) => (schemas: Schemas) => {
  Object.assign(schemas["OpenOptions"]?.properties ?? {}, { [wire]: schema });
};

test("an option has its camelCase name, description and type", () => {
  const description = "How many **minutes**.\n\nNot */ more.";
  const schema = { description, type: ["number", "null"], "x-alias": "quietTime" };
  const source = render("options", withOption("QuietTime", schema));
  expect(source).toContain(
    "  /**\n   * How many **minutes**.\n   *\n   * Not *\\/ more.\n   */\n" +
      "  readonly quietTime?: number | null | undefined;\n",
  );
  expect(source).toContain(`  quietTime: { wire: "QuietTime" },\n`);
});

test("an option may be an object or an enum", () => {
  const source = render("options", (schemas) => {
    schemas["Colour"] = { description: "A colour.", enum: [1, 4], "x-enum-varnames": ["Red", "Blue"] };
    schemas["Pen"] = {
      properties: { Colour: { $ref: "#/components/schemas/Colour", "x-alias": "colour" } },
      required: ["Colour"],
    };
    const pen = { anyOf: [{ $ref: "#/components/schemas/Pen" }, { type: "null" }], "x-alias": "pen" };
    withOption("Pen", pen)(schemas);
  });
  expect(source).toContain(`export const COLOUR = {\n  Red: 1,\n  Blue: 4,\n} as const;`);
  expect(source).toContain(`export type Colour = keyof typeof COLOUR | components["schemas"]["Colour"];`);
  expect(source).toMatch(/export interface PenOptions \{\n.*\n {2}readonly colour: Colour;\n\}/);
  expect(source).toContain(`  colour: { wire: "Colour", kinds: COLOUR },`);
  expect(source).toContain(`readonly pen?: PenOptions | null | undefined;`);
  expect(source).toContain(`  pen: { wire: "Pen", members: PEN },`);
});

test("an integer option has the type number", () => {
  const source = render("options", withOption("Copies", { type: ["integer", "null"], "x-alias": "copies" }));
  expect(source).toContain("  readonly copies?: number | null | undefined;\n");
});

test.each([
  ["has no camelCase form", withOption("A", { type: "string" })],
  ["the type object", withOption("A", { type: "object", "x-alias": "a" })],
  ["without a type", withOption("A", { "x-alias": "a" })],
  ["does not name each", (schemas: Schemas) => void delete schemas["SupportedBrowser"]?.["x-enum-varnames"]],
])("an unsupported option is refused: %s", (words, edit) => {
  expect(() => render("options", edit)).toThrow(words);
});

const TEAPOT = {
  description: "It is a teapot.",
  type: "object",
  properties: {
    status: { type: "integer", const: 418 },
    name: { type: "string", const: "Teapot" },
    message: { type: "string" },
    requestId: { type: "string" },
    spouts: { description: "Where it pours.", type: "array", items: { type: "string" } },
    colour: { description: "Its colour.", type: "string" },
  },
};

test("an error has a class with its description and members, and a row in the table", () => {
  const withTeapot = (schemas: Schemas): void => {
    schemas["TeapotError"] = TEAPOT;
  };
  const source = render("errors", withTeapot);
  expect(source).toContain(`  | "Teapot"`);
  expect(source).toContain("/**\n * It is a teapot.\n *\n * HTTP status 418, name `Teapot`.\n */\n");
  expect(source).toContain(`export class TeapotError extends ApiError {\n  declare readonly status: 418;\n`);
  expect(source).toContain(`readonly spouts: Readonly<components["schemas"]["TeapotError"]["spouts"]>;`);
  expect(source).toContain(`readonly colour: components["schemas"]["TeapotError"]["colour"] | undefined;`);
  expect(source).toContain(`    this.colour = facts.members["colour"] as TeapotError["colour"];`);
  expect(render("error-classes", withTeapot)).toContain(`  ["Teapot", TeapotError],`);
});

test("an operation has its method, path, and response members and types, without prose", () => {
  const source = render("operations");
  expect(source).toContain(`  getBrowsers: {\n    method: "get",\n    path: "/api/v1/Browser/Get",\n`);
  expect(source).toContain(`"required":["sessions"]`);
  expect(source).toContain(`"startedOn":{"type":["string"],"format":"date-time"}`);
  expect(source).not.toMatch(/\$ref|description|pattern/);
});

test("a timestamp is a Date or a string, and a member with only one spelling keeps that spelling", () => {
  const source = render("options");
  expect(source).toContain("  readonly since?: Date | string | null | undefined;\n");
  expect(source).toContain(`export const UPDATE_OPTIONS = {\n  keepOpen: { wire: "keepOpen" },\n`);
});

test("the version matches the package version", () => {
  expect(render("version")).toMatch(/^export const VERSION = "\d+\.\d+\.\d+";$/m);
});

test("an operation lists the types of its request and response bodies", () => {
  const source = render("operations");
  expect(source).toContain(
    `  openBrowser: { body: components["schemas"]["OpenOptions"]; answer: components["schemas"]["OpenResult"] };\n`,
  );
  expect(source).toContain(`  getBrowsers: { body: undefined; answer: components["schemas"]["SessionList"] };\n`);
});
