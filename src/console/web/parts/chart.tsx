export interface Line {
  readonly name: string;
  /** A custom property of the stylesheet, such as `--good`. */
  readonly colour: string;
  readonly values: readonly number[];
}

interface ChartProps {
  /** As `YYYY-MM-DD`, the oldest first. */
  readonly days: readonly string[];
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
}

/** The drawing has no size of its own: it is stretched over its place, and all text stands beside it. */
const WIDTH = 1_000;
const HEIGHT = 200;
const STEPS = 4;

/**
 * Figures of days, side by side, drawn here because a library for charts (uPlot, 22.5 KB) would be a quarter of all script. Who does not
 * see it reads the table that stands beside every chart.
 */
export function Chart({ days, lines, format }: ChartProps) {
  const top = roundedUp(Math.max(1, ...lines.flatMap(({ values }) => values)));
  const first = Date.parse(days[0]!);
  const span = Math.max(1, Date.parse(days.at(-1)!) - first);
  const x = (day: string) => ((Date.parse(day) - first) / span) * WIDTH;
  const y = (value: number) => HEIGHT - (value / top) * HEIGHT;
  const steps = Array.from({ length: STEPS + 1 }, (_, i) => (top / STEPS) * (STEPS - i));
  return (
    <div class="chart" aria-hidden="true">
      <p class="chart-names hint">
        {lines.map(({ name, colour }) => (
          <span key={name}>
            <svg viewBox="0 0 10 10">
              <rect width="10" height="10" fill={`var(${colour})`} />
            </svg>
            {name}
          </span>
        ))}
      </p>
      <div class="chart-steps hint">
        {steps.map((value) => (
          <span key={value}>{format(value)}</span>
        ))}
      </div>
      <svg class="chart-lines" viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none">
        {steps.map((value) => (
          <path key={value} d={`M0 ${y(value)}H${WIDTH}`} stroke="var(--line)" />
        ))}
        {lines.map(({ name, colour, values }) => (
          <polyline
            key={name}
            points={days.map((day, i) => `${x(day)},${y(values[i] ?? 0)}`).join(' ')}
            stroke={`var(${colour})`}
            stroke-width="2"
          />
        ))}
      </svg>
      <p class="chart-days hint">
        <span>{days[0]}</span>
        <span>{days.at(-1)}</span>
      </p>
    </div>
  );
}

/** To a figure of which a quarter is whole and round. */
function roundedUp(most: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(most));
  const found = [1, 2, 4, 8, 10].map((factor) => factor * magnitude).find((value) => value >= most);
  return Math.max(STEPS, found ?? most);
}
