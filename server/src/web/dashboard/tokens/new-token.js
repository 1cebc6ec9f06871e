// The page is the response to a form. After this, a reload shows the list of tokens and doesn't send the form again.

import { findAll, read } from "../../kit/static/find.js";

const [card] = findAll(document, "[data-leave-for]", HTMLElement);
if (card !== undefined) history.replaceState(undefined, "", read(card, "leaveFor"));
