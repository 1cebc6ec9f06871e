import { expectTypeOf, test } from "vitest";
import type { FailureName, OperationId } from "../generated/operations.ts";
import type { components, operations } from "../generated/types.ts";

type Schemas = components["schemas"];

test("an option may be omitted or null, even if it has a default", () => {
  expectTypeOf<object>().toExtend<Schemas["OpenOptions"]>();
  expectTypeOf<Schemas["OpenOptions"]["KeepOpen"]>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<Schemas["OpenOptions"]["Browser"]>().toEqualTypeOf<0 | 2 | 3 | null | undefined>();
});

test("a browser kind is one of the listed numbers", () => {
  expectTypeOf<Schemas["SupportedBrowser"]>().toEqualTypeOf<0 | 2 | 3>();
});

test("an error's status and name are constant types", () => {
  expectTypeOf<Schemas["OpenResult"]>().toEqualTypeOf<{ status: 200; address: string; id: string }>();
  expectTypeOf<Schemas["BrowserLimitError"]["name"]>().toEqualTypeOf<"BrowserLimit">();
  expectTypeOf<Schemas["UnknownError"]["status"]>().toEqualTypeOf<0>();
});

test("the types and the table have the same operations", () => {
  expectTypeOf<keyof operations>().toEqualTypeOf<OperationId>();
  expectTypeOf<keyof operations["getAccount"]["responses"]>().toEqualTypeOf<200 | 401 | 429 | 500 | 503>();
});

test("every error name belongs to an error schema", () => {
  type Named = Extract<Schemas[keyof Schemas], { requestId: string; name: string }>["name"];
  expectTypeOf<Named>().toEqualTypeOf<FailureName>();
});
