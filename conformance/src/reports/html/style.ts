/** The page's styles, including light and dark mode, phones and print. */
export const STYLE = `
:root {
  color-scheme: light dark;
  --ground: #f6f7f9; --sheet: #fff; --ink: #16191d; --soft: #5a636e; --line: #dfe3e8; --sunk: #f1f3f6;
  --pass: #17743f; --fail: #bf2537; --warn: #8a5a00; --inconclusive: #6b45b5; --skip: #66707b;
  --pass-wash: #e6f4ec; --fail-wash: #fdecee; --warn-wash: #fdf3dc; --inconclusive-wash: #f1ecfb; --skip-wash: #eceff2;
  --link: #1756b8;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ground: #0f1216; --sheet: #171b21; --ink: #e7eaee; --soft: #9aa5b1; --line: #2b323b; --sunk: #10141a;
    --pass: #5ccb8b; --fail: #ff8790; --warn: #e6b455; --inconclusive: #b99cf5; --skip: #97a2ae;
    --pass-wash: #12291d; --fail-wash: #331a1e; --warn-wash: #2d2412; --inconclusive-wash: #241d38; --skip-wash: #212830;
    --link: #83b4ff;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; scroll-padding-top: 1rem; }
body { margin: 0; background: var(--ground); color: var(--ink); font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; overflow-wrap: anywhere; }
main, header > div, footer { max-width: 70rem; margin: 0 auto; padding: 0 1.25rem; }
a { color: var(--link); text-underline-offset: .15em; }
h1, h2, h3, h4, p, dl, dd, ol, ul, pre { margin: 0; padding: 0; }
ol, ul { list-style: none; }
code, pre, .id { font-family: var(--mono); font-size: .875em; }
[hidden] { display: none !important; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; border-radius: 4px; }

.pass { --tone: var(--pass); --wash: var(--pass-wash); }
.fail { --tone: var(--fail); --wash: var(--fail-wash); }
.warn, .known { --tone: var(--warn); --wash: var(--warn-wash); }
.inconclusive { --tone: var(--inconclusive); --wash: var(--inconclusive-wash); }
.skip { --tone: var(--skip); --wash: var(--skip-wash); }

header { background: var(--sheet); border-top: 6px solid var(--tone); border-bottom: 1px solid var(--line); padding: 2rem 0 1.5rem; }
header .over { color: var(--soft); }
header h1 { display: flex; align-items: center; gap: .6rem; font-size: clamp(2rem, 7vw, 3rem); line-height: 1.15; letter-spacing: -.02em; color: var(--tone); margin: .35rem 0 .4rem; }
header h1 .sign { width: .95em; height: .95em; padding: .12em; border-radius: 50%; background: var(--tone); color: var(--sheet); stroke-width: 2.2; }
header .lead { font-size: 1.15rem; max-width: 50rem; }
.bar { display: block; width: 100%; height: 10px; margin: 1.4rem 0 .9rem; border-radius: 5px; background: var(--line); }
.bar rect { fill: var(--tone); }
.counts { display: flex; flex-wrap: wrap; gap: .6rem; }
.counts a { display: flex; align-items: baseline; gap: .45rem; padding: .3rem .8rem; border: 1px solid var(--line); border-radius: 99px; background: var(--wash); color: var(--tone); text-decoration: none; }
.counts a:hover { border-color: var(--tone); }
.counts b { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.since, .left { margin-top: 1rem; }
.left { display: flex; gap: .5rem; padding: .5rem .8rem; border-radius: 8px; background: var(--warn-wash); color: var(--warn); }
.left .sign { margin-top: .25em; }
.capabilities { display: grid; grid-template-columns: max-content max-content 1fr; gap: .15rem 1rem; margin-top: 1rem; }
.capabilities div { display: contents; }
.capabilities small { color: var(--soft); }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(14rem, 1fr)); gap: .8rem 1.5rem; margin-top: 1.6rem; padding-top: 1.2rem; border-top: 1px solid var(--line); }
.facts dt { color: var(--soft); font-size: .8rem; }
.facts dd { font-size: .95rem; }

section { margin: 2.2rem 0; }
h2 { font-size: 1.3rem; letter-spacing: -.01em; margin-bottom: .8rem; }
h2 small { color: var(--soft); font-weight: 400; font-size: .95rem; }
h4 { font-size: .8rem; color: var(--soft); font-weight: 600; margin: .8rem 0 .3rem; }
.sign { flex: none; width: 1em; height: 1em; fill: none; stroke: currentColor; stroke-width: 2; stroke-linecap: round; stroke-linejoin: round; }
.verdict .sign { vertical-align: -.14em; margin-right: .35em; }
.verdict { color: var(--tone); font-weight: 600; font-size: .875rem; white-space: nowrap; }
.chip { display: inline-block; padding: 0 .5em; border-radius: 4px; background: var(--sunk); color: var(--soft); font-size: .8rem; }
.note { margin: .6rem 0; }
.at { margin: -.5rem 0 .8rem; color: var(--soft); font-size: .85rem; }
.panel { background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; padding: 1rem 1.2rem; }

.card { background: var(--sheet); border: 1px solid var(--line); border-left: 4px solid var(--tone); border-radius: 10px; padding: 0 1.2rem; margin-bottom: .8rem; }
.card[open] { padding-bottom: 1.2rem; }
.card:target { box-shadow: 0 0 0 2px var(--tone); }
summary { cursor: pointer; }
.card > summary { list-style: none; padding: .9rem 1.6rem .9rem 0; position: relative; }
.card > summary::-webkit-details-marker { display: none; }
.card > summary::after { content: ""; position: absolute; right: .3rem; top: 1.35rem; width: .5rem; height: .5rem; border: solid var(--soft); border-width: 0 2px 2px 0; transform: rotate(45deg); }
.card[open] > summary::after { transform: rotate(225deg); top: 1.55rem; }
.card .line { display: flex; flex-wrap: wrap; align-items: center; gap: .2rem .7rem; }
.card .sentence { display: block; margin-top: .25rem; font-size: 1.05rem; }
.finding { display: grid; grid-template-columns: 1fr 1fr; gap: .7rem; margin: .6rem 0; }
.finding div { padding: .6rem .9rem; border-radius: 8px; }
.finding dt { font-size: .8rem; font-weight: 600; }
.finding dd { font-family: var(--mono); font-size: .875rem; white-space: pre-wrap; }
.expected { background: var(--pass-wash); } .expected dt { color: var(--pass); }
.seen { background: var(--fail-wash); } .seen dt { color: var(--fail); }
.exchanges > summary, .exchanges li summary { color: var(--soft); font-size: .9rem; padding: .3rem 0; }
.exchanges li { border-top: 1px solid var(--line); }
.exchanges li summary code { color: var(--ink); }
.status { font-family: var(--mono); font-size: .8rem; font-weight: 600; padding: 0 .45em; border-radius: 4px; background: var(--skip-wash); color: var(--skip); }
.status.s2 { background: var(--pass-wash); color: var(--pass); }
.status.s4 { background: var(--warn-wash); color: var(--warn); }
.status.s5 { background: var(--fail-wash); color: var(--fail); }
pre { background: var(--sunk); border: 1px solid var(--line); border-radius: 8px; padding: .7rem .9rem; white-space: pre-wrap; max-height: 24rem; overflow: auto; tab-size: 2; }
pre b { color: var(--soft); font-weight: 400; }
button { font: inherit; font-size: .8rem; padding: .1rem .6rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; cursor: pointer; }
button:hover { border-color: var(--soft); }

.group > summary { padding: .15rem 0; }
.group > summary b { display: inline-block; min-width: 2.2ch; text-align: right; margin-right: .4rem; font-variant-numeric: tabular-nums; }
.group ul { margin: .3rem 0 .8rem .55rem; padding-left: 1.2rem; border-left: 2px solid var(--line); font-size: .95rem; }
.group li + li { margin-top: .25rem; }
.to { margin: 0 .4em; color: var(--soft); }

form { display: flex; flex-wrap: wrap; align-items: end; gap: .6rem .8rem; margin-bottom: .8rem; }
label { display: grid; gap: .15rem; font-size: .8rem; color: var(--soft); }
.search { flex: 1 1 14rem; }
select, input { font: inherit; font-size: .95rem; color: var(--ink); background: var(--sheet); border: 1px solid var(--line); border-radius: 6px; padding: .35rem .5rem; width: 100%; min-height: 2.3rem; }
form button { font-size: .95rem; min-height: 2.3rem; }
output { color: var(--soft); font-size: .9rem; flex-basis: 100%; }
table { width: 100%; border-collapse: collapse; background: var(--sheet); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; font-size: .925rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .75rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; white-space: nowrap; background: var(--sunk); color: var(--soft); font-size: .8rem; font-weight: 600; }
tbody th { font: 600 .85rem/1.75 var(--mono); white-space: nowrap; }
tbody tr:target { background: var(--sunk); }
td { white-space: nowrap; }
.words { white-space: normal; min-width: 16rem; }
.words small { color: var(--soft); font-size: .8rem; }
.words .why { display: block; white-space: normal; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
footer { color: var(--soft); font-size: .85rem; padding-bottom: 2.5rem; }

@media (max-width: 46rem) {
  .finding { grid-template-columns: 1fr; }
  .facts { grid-template-columns: 1fr 1fr; }
  .facts > :first-child { grid-column: 1 / -1; }
  label { flex: 1 1 8rem; }
  thead { display: none; }
  table, tbody, tr, td, tbody th { display: block; }
  tr { padding: .7rem .9rem; border-top: 1px solid var(--line); }
  tr:first-child { border-top: 0; }
  td, tbody th { padding: 0; border: 0; display: inline; }
  tbody th { margin: 0 .5rem; }
  td.words { display: block; margin: .2rem 0; min-width: 0; }
  td:nth-child(n+4) { color: var(--soft); font-size: .8rem; margin-right: .7rem; }
}
@media print {
  body { background: #fff; font-size: 12px; }
  form, .copy { display: none; }
  pre { max-height: none; }
  .card, tr { break-inside: avoid; }
}
`;
