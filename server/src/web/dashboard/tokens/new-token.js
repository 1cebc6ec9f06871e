// The answer to a form shows a new token. Reloading leads to the list then, and does not send the form again.

import { findAll, read } from "../../kit/find.js";

const [card] = findAll(document, "[data-leave-for]", HTMLElement);
if (card !== undefined) history.replaceState(undefined, "", read(card, "leaveFor"));
