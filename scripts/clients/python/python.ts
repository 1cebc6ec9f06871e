import type { Language } from "../language.ts";
import { renderAnswers } from "./answers.ts";
import { renderErrors } from "./errors.ts";
import { renderOptions } from "./options.ts";

/** A private package. The public package exports what users need. */
const GENERATED = "src/remote_browser/_generated";

export const python = {
  name: "python",
  core: {
    settings: "clients/python/openapi-generator.yaml",
    place: (path) => (path.startsWith("remote_browser/_generated/") ? `src/${path}` : undefined),
  },
  render: (contract) =>
    new Map([
      [`${GENERATED}/errors.py`, renderErrors(contract)],
      [`${GENERATED}/options.py`, renderOptions(contract)],
      [`${GENERATED}/answers.py`, renderAnswers(contract)],
    ]),
} satisfies Language;
