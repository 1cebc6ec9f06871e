import { renderGoAnswers } from "./answers.ts";
import { renderGoErrors } from "./errors.ts";
import { renderGoOptions } from "./options.ts";
import type { Language } from "../language.ts";

export const go = {
  name: "go",
  core: {
    settings: "clients/go/openapi-generator.yaml",
    // The generator's tests are only placeholders.
    place: (path) => (/^\w+\.go$/.test(path) ? `internal/generated/${path}` : undefined),
  },
  render: (contract) =>
    new Map([
      ["errors_generated.go", renderGoErrors(contract)],
      ["options_generated.go", renderGoOptions(contract)],
      ["answers_generated.go", renderGoAnswers(contract)],
    ]),
} satisfies Language;
