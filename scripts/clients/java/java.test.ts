import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Contract, Schema } from "../../../openapi/scripts/contract.ts";
import { listFailures } from "../../../openapi/scripts/failures.ts";
import { isGenerated, java } from "../languages.ts";
import { renderJavaErrors } from "./errors.ts";
import { renderJavaOptions } from "./options.ts";
import { renderJavaRecords } from "./records.ts";
import { toConstant, toJavadoc } from "./source.ts";

const contract = JSON.parse(
  readFileSync(new URL("../../../openapi/generated/openapi.json", import.meta.url), "utf8"),
) as Contract;

/** Returns the contract with an additional schema. */
function withSchema(name: string, schema: object): Contract {
  const schemas = { ...contract.components.schemas, [name]: schema as Schema };
  return { ...contract, components: { ...contract.components, schemas } };
}

const TEAPOT = {
  description: "It is a teapot.",
  required: ["status", "name", "message", "requestId"],
  properties: { status: { const: 418 }, name: { const: "Teapot" } },
};

test("every error of the contract has a class and a name", () => {
  const errors = renderJavaErrors(contract);
  for (const { schema, name } of listFailures(contract)) {
    expect(errors.get(schema)).toContain(`public final class ${schema} extends ApiError {`);
    expect(errors.get("ErrorName")).toContain(`  ${toConstant(name)}("${name}", ${schema}::new)`);
  }
  expect(errors.size).toBe(listFailures(contract).length + 1);
});

test("a new error has a class and a name, documented with the contract's description", () => {
  const errors = renderJavaErrors(withSchema("TeapotError", TEAPOT));
  expect(errors.get("TeapotError")).toContain("/**\n * It is a teapot.\n *\n * <p>The HTTP status is 418.\n */\n");
  expect(errors.get("ErrorName")).toContain('  /** It is a teapot. */\n  TEAPOT("Teapot", TeapotError::new)');
});

test("a member specific to an error has an accessor", () => {
  const text = renderJavaErrors(contract).get("BadRequestError");
  expect(text).toContain('this.errors = refusal.readList("errors", BadRequestProblem.class);');
  expect(text).toContain("public List<BadRequestProblem> errors() {");
});

test("an error member that isn't a list of objects is refused", () => {
  const properties = { ...TEAPOT.properties, colour: { type: "string" } };
  const strange = withSchema("TeapotError", { ...TEAPOT, properties });
  expect(() => renderJavaErrors(strange)).toThrow("TeapotError.colour is not a list of a named schema");
});

test("records print all members except secrets, and mark nullable members", () => {
  const records = renderJavaRecords(contract);
  expect(records.get("Session")).toContain(
    'return "Session[startedOn=" + startedOn + ", label=" + label + ", id=" + id',
  );
  expect(records.get("Session")).not.toMatch(/ \+ (address|vncpass) \+ /);
  expect(records.get("Session")).toContain(
    "    OffsetDateTime startedOn,\n    @Nullable String label,\n    String address,",
  );
  expect(records.get("Desktop")).toContain('return "Desktop[]";');
  expect(records.get("Desktop")).not.toContain("status");
  expect(records.get("BadRequestProblem")).toContain("    String message) {}\n");
});

test("a Base64 member becomes bytes, which are not printed", () => {
  const text = renderJavaRecords(contract).get("Screenshot");
  expect(text).toContain("public record Screenshot(\n    String type,\n    byte[] image) {");
  expect(text).toContain('return "Screenshot[type=" + type + "]";');
});

test("a record member without a Java type is rejected", () => {
  const session = contract.components.schemas["Session"];
  const strange = withSchema("Session", {
    ...session,
    properties: { ...session?.properties, age: { type: "object" } },
  });
  expect(() => renderJavaRecords(strange)).toThrow("Session.age has no type in Java yet");
});

test("a member is nullable if earlier versions lack it, and required otherwise", () => {
  const record = contract.components.schemas["BrowserRecord"];
  const required = record?.required?.filter((member) => member !== "tags") ?? [];
  const text = renderJavaRecords(withSchema("BrowserRecord", { ...record, required })).get("BrowserRecord");
  expect(text).toContain("    @Nullable List<String> tags,\n");
  expect(text).toContain('    Objects.requireNonNull(id, "id");\n');
  expect(text).not.toContain("requireNonNull(tags");
  expect(text).toContain("@JsonIgnoreProperties(ignoreUnknown = true)\npublic record BrowserRecord(");
});

test("the options for Update and History are classes with the requests' member names", () => {
  const options = renderJavaOptions(contract);
  expect(options.get("UpdateOptions")).toContain("  public UpdateOptions keepOpen(double keepOpen) {");
  expect(options.get("UpdateOptions")).not.toContain("address");
  expect(options.get("HistoryOptions")).toContain("since(@Nullable OffsetDateTime since) {");
});

test("options print all members except secrets, and send all of them", () => {
  const text = renderJavaOptions(contract).get("Proxy");
  expect(text).toContain('return "Proxy[host=" + host + ", port=" + port + "]";');
  expect(text).toContain('  @JsonProperty("Password")\n  private @Nullable String password;');
  expect(text).toContain("  public Proxy host(String host) {");
});

test("an option's setter has the contract's description, and accepts all number types", () => {
  const text = renderJavaOptions(contract).get("OpenOptions");
  const [above = ""] = text?.split("  public OpenOptions keepOpen(double keepOpen) {") ?? [];
  const doc = above.slice(above.lastIndexOf("/**")).replaceAll(/\s+(\* )?/g, " ");
  expect(doc).toContain("How many <strong>seconds</strong> the browser stays open");
  expect(doc).toContain("The default is 30.");
  expect(text).toContain("  public OpenOptions headless(@Nullable Boolean headless) {");
  expect(text).toContain("  public OpenOptions args(@Nullable List<String> args) {");
  expect(text).toContain("  public OpenOptions browser(@Nullable SupportedBrowser browser) {");
  expect(text).toContain("  private @Nullable Proxy proxy;");
  expect(text).not.toContain("x-alias");
});

/** Returns the contract with an additional option. */
function withOption(name: string, schema: object, others = contract): Contract {
  const options = others.components.schemas["OpenOptions"];
  const properties = { ...options?.properties, [name]: schema as Schema };
  const schemas = { ...others.components.schemas, OpenOptions: { ...options, properties } };
  return { ...others, components: { ...others.components, schemas } };
}

test("a new option has a setter, but isn't printed until it is listed as printable", () => {
  const accent = { type: ["string", "null"], description: "The accent. The default is `none`." };
  const text = renderJavaOptions(withOption("Accent", accent)).get("OpenOptions");
  expect(text).toContain(
    "  /** The accent. The default is {@code none}. */\n  public OpenOptions accent(@Nullable String accent) {",
  );
  expect(text).not.toContain("accent=");
});

test("an option's object type is rendered and replaces the generator's class", () => {
  const pen = withSchema("Pen", {
    type: "object",
    required: ["Width"],
    properties: { Width: { type: "integer" } },
  });
  // The path of the generator's model, which the rendered class replaces.
  const path = "src/generated/java/io/github/remotebrowser/contract/Pen.java";
  expect(java.core?.place("src/main/java/io/github/remotebrowser/contract/Pen.java")).toBe(path);
  expect(java.render(pen).has(path)).toBe(false);
  const reference = { $ref: "#/components/schemas/Pen" };
  for (const option of [reference, { anyOf: [reference, { type: "null" }] }, { type: "array", items: reference }]) {
    const more = withOption("Pen", option, pen);
    expect(renderJavaOptions(more).get("Pen")).toContain("  public Pen width(int width) {");
    expect(java.render(more).has(path)).toBe(true);
  }
});

test("an option without a Java type is refused", () => {
  const map = withOption("Headers", { type: "object" });
  expect(() => renderJavaOptions(map)).toThrow("OpenOptions.Headers has no type in Java yet");
});

test("prose becomes Javadoc, with code, paragraphs and escaped HTML", () => {
  expect(toJavadoc("Use `{a: 1}` & **never** <b> @home.\n\nThen\nmore.")).toBe(
    "/**\n * Use {@code {a: 1}} &amp; <strong>never</strong> &lt;b&gt; &#64;home.\n *\n * <p>Then more.\n */\n",
  );
  expect(toJavadoc("Ends */ here.", "  ")).toBe("  /** Ends *&#47; here. */\n");
  const lines = toJavadoc("word ".repeat(100), "  ", ["@param a word"]).split("\n");
  expect(Math.max(...lines.map(({ length }) => length))).toBeLessThanOrEqual(110);
  expect(lines.at(-3)).toBe("   * @param a word");
});

test("the generator's unused files are omitted", () => {
  const place = (path: string): string | undefined => java.core?.place(path);
  const folder = "io/github/remotebrowser";
  expect(place(`src/main/java/${folder}/contract/OpenResult.java`)).toBe(
    `src/generated/java/${folder}/contract/OpenResult.java`,
  );
  for (const path of ["contract/AbstractOpenApiSchema", "core/JSON", "core/ServerVariable"]) {
    expect(place(`src/main/java/${folder}/${path}.java`)).toBeUndefined();
  }
  expect(place("pom.xml")).toBeUndefined();
  expect([...java.render(contract).keys()].filter((path) => !isGenerated(path))).toStrictEqual([]);
});
