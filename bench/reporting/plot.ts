/** A figure of lines on two logarithmic scales, as SVG that is read on light and on dark. */

/** A named line; its points from left to right. */
export interface Line {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Figure {
  readonly title: string;
  readonly across: string;
  readonly lines: readonly Line[];
  /** A line across, such as the cost of what all is compared with. */
  readonly mark: { readonly y: number; readonly name: string };
}

const WIDTH = 760;
const HEIGHT = 450;
const AREA = { left: 78, right: WIDTH - 190, top: 52, bottom: HEIGHT - 52 };

/** Colors that people with any color vision can tell apart, on white and on black. */
const COLORS = ['#3b82c4', '#d9730d', '#169b76', '#b965b3', '#a08a1c', '#d1495b', '#7a8691'];
const GRAY = '#7d8691';
const LABEL_HEIGHT = 15;

type Scale = (value: number) => number;

const logScale = (from: number, to: number, low: number, high: number): Scale => {
  const perDecade = (high - low) / Math.log10(to / from);
  return (value) => low + Math.log10(value / from) * perDecade;
};

const decadesOf = (values: readonly number[]): number[] => {
  const first = Math.floor(Math.log10(Math.min(...values)));
  const last = Math.ceil(Math.log10(Math.max(...values)));
  return Array.from({ length: last - first + 1 }, (_, nth) => 10 ** (first + nth));
};

const text = (x: number, y: number, content: string, more = ''): string =>
  `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" ${more}>${content.replaceAll('&', '&amp;').replaceAll('<', '&lt;')}</text>`;

const stroke = (x1: number, y1: number, x2: number, y2: number, more: string): string =>
  `<line x1="${x1.toFixed(1)}" y1="${y1.toFixed(1)}" x2="${x2.toFixed(1)}" y2="${y2.toFixed(1)}" ${more}/>`;

const plain = (value: number): string =>
  value < 1 ? String(Number(value.toPrecision(1))) : value.toLocaleString('en');

/** Draws the figure. */
export function plot({ title, across, lines, mark }: Figure): string {
  const points = lines.flatMap(({ points }) => points);
  const columns = decadesOf(points.map(([x]) => x));
  const decades = decadesOf([mark.y, ...points.map(([, y]) => y)]);
  const x = logScale(columns[0]!, columns.at(-1)!, AREA.left, AREA.right);
  const y = logScale(decades[0]!, decades.at(-1)!, AREA.bottom, AREA.top);
  const body = [
    ...decades.flatMap((decade) => [
      stroke(AREA.left, y(decade), AREA.right, y(decade), `stroke="${GRAY}" stroke-opacity=".25"`),
      text(AREA.left - 8, y(decade) + 4, `${plain(decade)} ×`, 'text-anchor="end"'),
    ]),
    ...columns.map((column) => text(x(column), AREA.bottom + 20, plain(column), 'text-anchor="middle"')),
    text((AREA.left + AREA.right) / 2, HEIGHT - 12, across, 'text-anchor="middle"'),
    stroke(
      AREA.left,
      y(mark.y),
      AREA.right,
      y(mark.y),
      `stroke="${GRAY}" stroke-width="1.5" stroke-dasharray="6 4"`,
    ),
    ...lines.map((line, nth) => drawn(line, COLORS[nth % COLORS.length]!, x, y)),
    ...labels(lines, mark, y),
  ];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" role="img" aria-label="${title}" font-family="system-ui, -apple-system, 'Segoe UI', Helvetica, Arial, sans-serif" font-size="12.5" fill="${GRAY}">`,
    text(AREA.left - 66, 24, title, 'font-size="15" font-weight="600"'),
    ...body,
    '</svg>\n',
  ].join('\n');
}

function drawn({ points }: Line, color: string, x: Scale, y: Scale): string {
  const dotted = points.map(([px, py]) => [x(px).toFixed(1), y(py).toFixed(1)] as const);
  const path = dotted.map(([px, py]) => `${px},${py}`).join(' ');
  const dots = dotted.map(([px, py]) => `<circle cx="${px}" cy="${py}" r="3"/>`).join('');
  return `<g fill="${color}"><polyline points="${path}" fill="none" stroke="${color}" stroke-width="2.25" stroke-linejoin="round"/>${dots}</g>`;
}

/** Names at the right ends of the lines, pushed apart where they would touch. */
function labels(lines: readonly Line[], mark: Figure['mark'], y: Scale): string[] {
  const ends = lines.map(({ name, points }, nth) => ({
    name,
    color: COLORS[nth % COLORS.length]!,
    wanted: y(points.at(-1)![1]),
  }));
  const all = [...ends, { name: mark.name, color: GRAY, wanted: y(mark.y) }].sort(
    (a, b) => a.wanted - b.wanted,
  );
  const heights = spread(all.map(({ wanted }) => wanted));
  return all.map(({ name, color, wanted }, nth) => {
    const height = heights[nth]!;
    return (
      stroke(AREA.right + 5, wanted, AREA.right + 14, height, `stroke="${color}" stroke-opacity=".6"`) +
      text(AREA.right + 18, height + 4, name, `fill="${color}" font-weight="500"`)
    );
  });
}

/** The nearest coordinates that are far enough from each other; what is handed in ascends. */
function spread(wanted: readonly number[]): number[] {
  const heights = [...wanted];
  for (let pass = 0; pass < 200; pass++) {
    for (let nth = 1; nth < heights.length; nth++) {
      const overlap = LABEL_HEIGHT - (heights[nth]! - heights[nth - 1]!);
      if (overlap <= 0) continue;
      heights[nth - 1]! -= overlap / 2;
      heights[nth]! += overlap / 2;
    }
  }
  return heights;
}
