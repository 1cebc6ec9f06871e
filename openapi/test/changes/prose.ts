import { type Json, type Mutation, set, setOperation } from "./draft.ts";

export const TEXTS: readonly Mutation[] = [
  [
    "rewrites the introduction",
    (d) => (d.at("info")["description"] = "Browsers."),
    "prose",
    "answer contract/info description",
  ],
  [
    "rewrites an option",
    set("OpenOptions.KeepOpen", { description: "How long." }),
    "prose",
    "request OpenOptions/KeepOpen description",
  ],
  ["rewrites an operation", setOperation("ai/Query", { summary: "Ask." }), "prose", "request queryAi summary"],
  [
    "rewrites a tag",
    (d) => (d.at("tags", 0)["description"] = "Browsers."),
    "prose",
    "answer contract/tags/0 description",
  ],
  [
    "removes an example",
    (d) =>
      delete d.at("paths", "/api/v1/ai/Query", "post", "requestBody", "content", "application/json", "examples")[
        "text"
      ],
    "prose",
    "request queryAi/body/examples text",
  ],
  [
    "removes the links",
    (d) => delete (d.answers("Browser/Open")["200"] as Json)["links"],
    "prose",
    "answer openBrowser/200 links",
  ],
  [
    "rewrites the token's description",
    (d) => (d.at("components", "securitySchemes", "bearerAuth")["description"] = "A token."),
    "prose",
    "request securitySchemes/bearerAuth description",
  ],
  [
    "rewrites a server",
    (d) => (d.at("servers", 0)["description"] = "Here."),
    "prose",
    "answer contract/servers/0 description",
  ],
];
