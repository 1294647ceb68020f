import { useEffect, useRef } from 'preact/hooks';
import 'uplot/dist/uPlot.min.css';
import Plot from 'uplot';

const HEIGHT_PX = 220;
const MIN_WIDTH_PX = 240;
const DAY_SECONDS = 24 * 3600;

export interface Line {
  readonly name: string;
  /** A custom property of the stylesheet, such as `--good`. */
  readonly colour: string;
  readonly values: readonly number[];
}

interface ChartProps {
  /** Seconds since 1970, one a day. */
  readonly days: readonly number[];
  readonly lines: readonly Line[];
}

/** Figures of days, side by side. Who does not see it reads the table that stands beside every chart. */
export function Chart({ days, lines }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const box = place.current;
    if (box === null) return undefined;
    const scheme = matchMedia('(prefers-color-scheme: dark)');
    let plot: Plot | null = null;
    const draw = () => {
      plot?.destroy();
      plot = new Plot(optionsFor(box, lines), [[...days], ...lines.map(({ values }) => [...values])], box);
    };
    draw();
    const sizes = new ResizeObserver(() => plot?.setSize({ width: widthOf(box), height: HEIGHT_PX }));
    sizes.observe(box);
    scheme.addEventListener('change', draw);
    return () => {
      sizes.disconnect();
      scheme.removeEventListener('change', draw);
      plot?.destroy();
    };
  }, [days, lines]);
  return <div class="chart" ref={place} aria-hidden="true" />;
}

const widthOf = (box: HTMLElement): number => Math.max(MIN_WIDTH_PX, box.clientWidth);

function optionsFor(box: HTMLElement, lines: readonly Line[]): Plot.Options {
  const colourOf = (name: string): string => {
    const probe = box.appendChild(document.createElement('span'));
    probe.style.color = `var(${name})`;
    const { color } = getComputedStyle(probe);
    probe.remove();
    return color;
  };
  const axis = { stroke: colourOf('--muted'), grid: { stroke: colourOf('--line'), width: 1 } };
  return {
    width: widthOf(box),
    height: HEIGHT_PX,
    scales: { x: { time: true }, y: { range: (_plot, _least, most) => [0, Math.max(1, most * 1.1)] } },
    axes: [{ ...axis, incrs: [DAY_SECONDS, 7 * DAY_SECONDS, 30 * DAY_SECONDS] }, axis],
    series: [
      { value: '{YYYY}-{MM}-{DD}' },
      ...lines.map(({ name, colour }) => ({ label: name, stroke: colourOf(colour), width: 2, points: { show: true } })),
    ],
    tzDate: (seconds) => Plot.tzDate(new Date(seconds * 1_000), 'Etc/UTC'),
  };
}
