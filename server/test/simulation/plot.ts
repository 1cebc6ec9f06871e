/** A line in a plot. Each point has a time in seconds and a value. */
export type Series = { readonly name: string; readonly points: readonly (readonly [x: number, y: number])[] };
/** A time span marked in a plot, in seconds. */
export type Band = { readonly name: string; readonly from: number; readonly to: number };

const [WIDTH, HEIGHT, LEFT, BOTTOM, TOP] = [900, 220, 60, 24, 16] as const;
const COLOURS = ["#0b62a4", "#d1495b", "#2a9d4a", "#8a5cc2", "#c77800", "#4f6d7a", "#b0307a", "#5b7f00"];
/** The number of grid lines in a plot. */
const STEPS = 4;

/** Draws lines over time, with marked times, as an SVG. */
export function plot(unit: string, seconds: number, series: readonly Series[], bands: readonly Band[]): string {
  const most = Math.max(1e-9, ...series.flatMap(({ points }) => points.map(([, y]) => y)));
  const top = toRound(most);
  const toX = (x: number): number => round(LEFT + (Math.max(0, Math.min(x, seconds)) / seconds) * (WIDTH - LEFT));
  const toY = (y: number): number => round(TOP + (1 - y / top) * (HEIGHT - TOP - BOTTOM));
  const grid = Array.from({ length: STEPS + 1 }, (_, at) => {
    const value = (top * at) / STEPS;
    return `<path d="M${LEFT} ${toY(value)}H${WIDTH}" class="grid"/><text x="${LEFT - 6}" y="${toY(value) + 4}" class="y">${round(value)}</text>`;
  });
  const marks = bands.map(({ name, from, to }) => {
    const width = Math.max(2, toX(to) - toX(from));
    return `<rect x="${toX(from)}" y="${TOP}" width="${width}" height="${HEIGHT - TOP - BOTTOM}" class="fault"><title>${escape(name)}</title></rect>`;
  });
  const lines = series.map(({ points }, at) => {
    const path = points.map(([x, y]) => `${toX(x)},${toY(y)}`).join(" ");
    return `<polyline points="${path}" stroke="${COLOURS[at % COLOURS.length]}"/>`;
  });
  const legend = series.map(
    ({ name }, at) => `<span style="color:${COLOURS[at % COLOURS.length]}">■</span> ${escape(name)}`,
  );
  return `<figure><figcaption>${escape(unit)}: ${legend.join(" &nbsp; ")}</figcaption>
<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img">${marks.join("")}${grid.join("")}${lines.join("")}
<text x="${LEFT}" y="${HEIGHT - 6}">0 s</text><text x="${WIDTH}" y="${HEIGHT - 6}" class="y">${Math.round(seconds)} s</text></svg></figure>`;
}

export function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}

/** Returns the next number of the form 1, 2 or 5 × 10ⁿ. */
function toRound(value: number): number {
  const unit = 10 ** Math.floor(Math.log10(value));
  return ([1, 2, 5, 10].find((factor) => factor * unit >= value) ?? 10) * unit;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}
