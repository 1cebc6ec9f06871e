// Replaces the form's URL with the list's, so that a reload shows the list instead of resubmitting the form.

import { findAll, read } from "../../kit/static/find.js";

const [card] = findAll(document, "[data-leave-for]", HTMLElement);
if (card !== undefined) history.replaceState(undefined, "", read(card, "leaveFor"));
