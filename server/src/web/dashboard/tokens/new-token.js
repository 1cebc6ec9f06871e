// This page is a form's response. With the list's URL, a reload shows the list instead of submitting the form again.

import { findAll, read } from "../../kit/static/find.js";

const [card] = findAll(document, "[data-leave-for]", HTMLElement);
if (card !== undefined) history.replaceState(undefined, "", read(card, "leaveFor"));
