import { expect, test } from "vitest";
import { renderGoAnswers } from "./answers.ts";
import { contractWith, object } from "./contract.fixtures.ts";

test("a nullable member is a pointer, with a name in Go's spelling", () => {
  const text = renderGoAnswers(contractWith());
  expect(text).toContain("\t// nil while stopped.\n\tVNCPass *string\n");
  expect(text).toContain("\tanswer.VNCPass = model.Vncpass.Get()\n");
});

test("a date is a time.Time, and the repeated HTTP status is left out", () => {
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
  expect(text).toContain("\tanswer.KeepOpen = toDuration(model.KeepOpen.Get())\n");
  expect(text).toContain("\tanswer.Clients = int(model.Clients)\n");
});

test("a member that earlier versions don't have may be missing", () => {
  const id = { type: "string", description: "Which." };
  const clients = { type: "integer", description: "How many." };
  const text = renderGoAnswers(contractWith({ Session: object({ id, clients }) }));
  expect(text).toContain("does not send it, and then it is empty.\n\tID string\n");
  expect(text).toContain("does not send it, and then it is nil.\n\tClients *int\n");
  expect(text).toContain("\tanswer.ID = model.GetId()\n");
  expect(text).toContain("\tanswer.Clients = toPointer[int](model.Clients)\n");
});

test("a member in Base64 is bytes, and must not be missing", () => {
  const image = { type: "string", format: "byte", description: "In Base64." };
  const text = renderGoAnswers(contractWith({ Screenshot: object({ image }, ["image"]) }));
  expect(text).toContain("The client decodes it: these are the bytes.\n\tImage []byte\n");
  expect(text).toContain('\timage, err := toBytes("image", model.Image)\n');
  expect(() => renderGoAnswers(contractWith({ Screenshot: object({ image }) }))).toThrow("may be missing");
});

test("a member of a type without a Go type is refused", () => {
  const contract = contractWith({ Session: object({ odd: { type: "object" } }, ["odd"]) });
  expect(() => renderGoAnswers(contract)).toThrow("There is no Go type for odd");
});
