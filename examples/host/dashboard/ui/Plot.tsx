/**
 * A plot over time in SVG: bars that are stacked, or lines. The numbers of an instant are shown when one points or
 * steps to it.
 */
import type { TargetedPointerEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { Tone } from '../words/statuses.js';
import { shortCount } from '../words/numbers.js';
import './Plot.css';

/** Numbers of one kind, one for each instant; null if it has none. */
export interface Series {
  readonly name: string;
  readonly tone: Tone;
  readonly values: readonly (number | null)[];
}

export interface PlotProps {
  /** The name for screen readers, and the title. */
  readonly label: string;
  readonly kind?: 'bars' | 'lines';
  readonly series: readonly Series[];
  /** Text of each instant, such as `Sun 14:00`; the first and the last are shown below the plot. */
  readonly times: readonly string[];
  /** How a number is written; the short form is for the axis. */
  readonly format?: (value: number) => string;
  /** How the numbers of an instant are written; as on the axis unless given. */
  readonly exact?: (value: number) => string;
  readonly height?: number;
}

const LEFT = 52;
const BOTTOM = 20;
const TOP = 8;

/** The least round number that is not below the most: 1, 2 or 5 times a power of ten. */
export function axisTop(most: number): number {
  if (most <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 5, 10].find((step) => step * power >= most) ?? 10) * power;
}

export function Plot(props: PlotProps) {
  const { label, kind = 'bars', series, times, format = shortCount, exact = format, height = 160 } = props;
  const [figure, width] = useWidth();
  const scale = scaleOf(props, kind === 'bars', width, height);
  const { step, x, y } = scale;
  const { at, ...handlers } = useReading(times.length, step);
  const told = at === null ? null : readout(series, times, at, exact);
  return (
    <figure class="hg-plot" ref={figure}>
      <figcaption class="hg-plot__head">
        <span>{told ?? label}</span>
        <ul class="hg-plot__legend">
          {series.map(({ name, tone }) => (
            <li key={name} class={`hg-tone-${tone}`}>
              {name}
            </li>
          ))}
        </ul>
      </figcaption>
      <svg
        height={height}
        viewBox={`0 0 ${width} ${height}`}
        role="slider"
        tabIndex={0}
        aria-label={label}
        aria-valuemin={0}
        aria-valuemax={Math.max(0, times.length - 1)}
        aria-valuenow={at ?? 0}
        aria-valuetext={told ?? 'Arrow keys read the values'}
        {...handlers}
      >
        <Grid {...{ scale, width, height, times, format }} />
        {at !== null && (
          <line class="hg-plot__cursor" x1={x(at) + step / 2} x2={x(at) + step / 2} y1={TOP} y2={y(0)} />
        )}
        {kind === 'bars'
          ? series.map((one, index) => (
              <Bars key={one.name} one={one} below={series.slice(0, index)} {...scale} />
            ))
          : series.map((one) => <Line key={one.name} one={one} {...scale} />)}
      </svg>
    </figure>
  );
}

/** The coordinates of values and instants in the drawing, in pixels. */
interface Scale {
  /** The value at the top of the axis. */
  readonly most: number;
  /** The width of an instant. */
  readonly step: number;
  readonly x: (index: number) => number;
  readonly y: (value: number) => number;
}

function scaleOf({ series, times }: PlotProps, isStacked: boolean, width: number, height: number): Scale {
  const totals = times.map((_, index) => series.map(({ values }) => values[index] ?? 0));
  const most = axisTop(
    Math.max(0, ...totals.map((row) => (isStacked ? row.reduce((a, b) => a + b, 0) : Math.max(0, ...row)))),
  );
  const step = (width - LEFT) / Math.max(1, times.length);
  return {
    ...{ most, step },
    x: (index) => LEFT + step * index,
    y: (value) => TOP + (height - TOP - BOTTOM) * (1 - value / most),
  };
}

/** The instant whose values are read, by pointer or by keyboard; null if none is. */
function useReading(count: number, step: number) {
  const [at, setAt] = useState<number | null>(null);
  const move = (index: number): void => setAt(Math.max(0, Math.min(count - 1, index)));
  const leave = (): void => setAt(null);
  return {
    at,
    onKeyDown(event: KeyboardEvent): void {
      const to = {
        ...{ ArrowRight: (at ?? -1) + 1, ArrowLeft: (at ?? count) - 1 },
        ...{ Home: 0, End: count - 1 },
      }[event.key];
      if (to === undefined) return;
      event.preventDefault();
      move(to);
    },
    onBlur: leave,
    onPointerLeave: leave,
    onPointerMove(event: TargetedPointerEvent<SVGSVGElement>): void {
      const { left } = event.currentTarget.getBoundingClientRect();
      move(Math.floor((event.clientX - left - LEFT) / step));
    },
  };
}

interface GridProps extends Required<Pick<PlotProps, 'times' | 'format' | 'height'>> {
  readonly scale: Scale;
  readonly width: number;
}

/** The lines of the axis with their values, and the first and the last instant. */
const Grid = ({ scale: { most, y }, width, height, times, format }: GridProps) => (
  <>
    {[0, most / 2, most].map((value) => (
      <g key={value}>
        <line class="hg-plot__grid" x1={LEFT} x2={width} y1={y(value)} y2={y(value)} />
        <text class="hg-plot__label" x={LEFT - 6} y={y(value) + 4} text-anchor="end">
          {format(value)}
        </text>
      </g>
    ))}
    <text class="hg-plot__label" x={LEFT} y={height - 4}>
      {times[0] ?? ''}
    </text>
    <text class="hg-plot__label" x={width} y={height - 4} text-anchor="end">
      {times.at(-1) ?? ''}
    </text>
  </>
);

/** The width that there is, in pixels: a drawing that is scaled has texts of any size. */
function useWidth() {
  const ref = useRef<HTMLElement>(null);
  const [width, setWidth] = useState(640);
  useLayoutEffect(() => {
    const { current } = ref;
    if (current === null) return;
    const measure = (): void => setWidth(Math.max(160, current.clientWidth));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    return () => observer.disconnect();
  }, []);
  return [ref, width] as const;
}

const readout = (
  series: readonly Series[],
  times: readonly string[],
  at: number,
  format: (value: number) => string,
): string => {
  const values = series.map(({ name, values: all }) => {
    const value = all[at] ?? null;
    return `${value === null ? 'none' : format(value)} ${name.toLowerCase()}`;
  });
  return `${times[at] ?? ''}: ${values.join(', ')}`;
};

interface DrawnProps extends Scale {
  readonly one: Series;
}

const Bars = ({ one, below, step, x, y }: DrawnProps & { readonly below: readonly Series[] }) => (
  <g class={`hg-tone-${one.tone}`}>
    {one.values.map((value, index) => {
      if (value === null || value === 0) return null;
      const base = below.reduce((sum, { values }) => sum + (values[index] ?? 0), 0);
      const top = y(base + value);
      return (
        <rect
          key={index}
          class="hg-plot__bar"
          x={x(index) + step * 0.1}
          width={step * 0.8}
          y={top}
          height={Math.max(1, y(base) - top)}
        />
      );
    })}
  </g>
);

/** A value that is missing interrupts the line; one between two gaps is a dot. */
function Line({ one: { values, tone }, step, x, y }: DrawnProps) {
  const isThere = (index: number): boolean => typeof values[index] === 'number';
  const points = values.flatMap((value, index) =>
    value === null ? [] : [{ index, left: (x(index) + step / 2).toFixed(1), top: y(value).toFixed(1) }],
  );
  const line = points.map(({ index, left, top }) => `${isThere(index - 1) ? 'L' : 'M'}${left} ${top}`);
  return (
    <g class={`hg-tone-${tone}`}>
      <path class="hg-plot__line" d={line.join('')} />
      {points
        .filter(({ index }) => !isThere(index - 1) && !isThere(index + 1))
        .map(({ index, left, top }) => (
          <circle key={index} class="hg-plot__bar" cx={left} cy={top} r="2" />
        ))}
    </g>
  );
}
