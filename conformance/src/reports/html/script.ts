/** The page's script: filters the table, copies commands, opens linked cards. Avoids recent JavaScript features. */
export const SCRIPT = `
const form = document.querySelector("#filter");
const rows = [...document.querySelectorAll("#rules tbody tr")];
const filter = () => {
  const wanted = Object.fromEntries(new FormData(form));
  const text = wanted.text.trim().toLowerCase();
  for (const row of rows) {
    const fits = ["verdict", "level", "capability"].every((name) => (wanted[name] || row.dataset[name]) === row.dataset[name]);
    row.hidden = !fits || !(row.textContent + row.dataset.at).toLowerCase().includes(text);
  }
  const shown = rows.filter((row) => !row.hidden).length;
  form.elements.shown.value = shown === rows.length ? rows.length + " rules" : shown + " of " + rows.length + " rules";
};
const open = () => {
  const aim = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (aim instanceof HTMLDetailsElement) aim.open = true;
};
form.hidden = false;
form.addEventListener("input", filter);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () => setTimeout(filter));
filter();
addEventListener("hashchange", open);
open();
for (const link of document.querySelectorAll("a[data-show]")) {
  link.addEventListener("click", () => {
    form.reset();
    form.elements.verdict.value = link.dataset.show;
    filter();
  });
}
for (const button of document.querySelectorAll("button.copy")) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    const command = button.parentElement.nextElementSibling;
    try {
      await navigator.clipboard.writeText(command.textContent);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(command);
      button.textContent = "Selected";
    }
  });
}
`;
