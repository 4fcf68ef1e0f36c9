import {
  BarController,
  BarElement,
  CategoryScale,
  Chart,
  type ChartConfiguration,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from 'chart.js';
import { useEffect, useRef } from 'react';
import type { DayValue } from '../../../../contract/analytics.ts';
import { formatDate, formatOf, formatShortCount } from '../../lib/format.ts';

Chart.register(
  BarController,
  BarElement,
  CategoryScale,
  Filler,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
);

/** From this number of days on, bars would be thinner than a pixel of a phone. */
const LINE_FROM = 100;

/** As many labels with a year as the chart of a phone has room for. */
const LABELS = 4;

/** Whether a day of this many has a label: the last one, and others at equal distances before it. */
export const hasLabel = (index: number, count: number): boolean =>
  (count - 1 - index) % Math.ceil(count / LABELS) === 0;

interface DayChartProps {
  days: readonly DayValue[];
  /** What a screen reader says for the chart. */
  label: string;
  /** The value of a day in the tooltip. */
  format: (value: number) => string;
}

/** A chart of the values of days, in the colors of the theme. */
export const DayChart = ({ days, label, format }: DayChartProps) => {
  const canvasRef = useRef<HTMLCanvasElement>(null);
  useEffect(() => {
    const canvas = canvasRef.current;
    if (!canvas?.getContext('2d')) return;
    let chart = new Chart(canvas, toConfiguration(days, format));
    const observer = new MutationObserver(() => {
      chart.destroy();
      chart = new Chart(canvas, toConfiguration(days, format));
    });
    // the theme is a class of the document
    observer.observe(document.documentElement, { attributeFilter: ['class'] });
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [days, format]);
  return (
    <div data-slot="day-chart" className="relative h-44">
      {/* chart.js follows a change of the width one frame later; until then the canvas must not leave its card */}
      <canvas ref={canvasRef} role="img" aria-label={label} className="absolute inset-0 size-full!" />
    </div>
  );
};

const toConfiguration = (
  days: readonly DayValue[],
  format: (value: number) => string,
): ChartConfiguration<'bar' | 'line', number[], string> => {
  const style = getComputedStyle(document.documentElement);
  const color = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const isLine = days.length >= LINE_FROM;
  // Time runs as the reader reads.
  const isMirrored = document.documentElement.dir === 'rtl';
  const primary = color('primary');
  const ticks = {
    color: color('muted-foreground'),
    font: { size: 12, family: getComputedStyle(document.body).fontFamily },
  };
  const dayAt = (index: number) => days[index]?.day ?? '';
  return {
    type: isLine ? 'line' : 'bar',
    data: {
      labels: days.map(({ day }) => day),
      datasets: [
        {
          data: days.map(({ value }) => value),
          backgroundColor: isLine ? `${primary}26` : primary,
          hoverBackgroundColor: isLine ? primary : color('foreground'),
          borderColor: primary,
          borderWidth: isLine ? 1.5 : 0,
          ...(isLine ? { fill: 'origin', pointRadius: 0, pointHoverRadius: 4 } : { borderRadius: 2 }),
        },
      ],
    },
    options: {
      responsive: true,
      maintainAspectRatio: false,
      animation: false,
      interaction: { mode: 'index', intersect: false },
      scales: {
        x: {
          reverse: isMirrored,
          grid: { display: false },
          border: { color: color('border') },
          ticks: {
            ...ticks,
            autoSkip: false,
            align: 'inner',
            maxRotation: 0,
            callback: (_value, index) =>
              hasLabel(index, days.length) ? formatTick(dayAt(index), isLine ? 'month' : 'day') : null,
          },
        },
        y: {
          position: isMirrored ? 'right' : 'left',
          beginAtZero: true,
          suggestedMax: 4,
          border: { display: false },
          grid: { color: color('border') },
          ticks: { ...ticks, precision: 0, maxTicksLimit: 5, callback: (value) => formatShortCount(Number(value)) },
        },
      },
      plugins: {
        tooltip: {
          displayColors: false,
          rtl: isMirrored,
          backgroundColor: color('foreground'),
          titleColor: color('background'),
          bodyColor: color('background'),
          callbacks: {
            title: ([item]) => formatDate(dayAt(item?.dataIndex ?? 0), 'UTC'),
            label: (item) => format(item.parsed.y ?? 0),
          },
        },
      },
    },
  };
};

const UTC = { timeZone: 'UTC', month: 'short' } as const;
const TICKS = {
  day: [formatOf({ ...UTC, day: 'numeric' }), formatOf({ ...UTC, day: 'numeric', year: 'numeric' })],
  month: [formatOf(UTC), formatOf({ ...UTC, year: 'numeric' })],
} as const;

/** "Nov 21" or "Nov", with the year if it is not this one. */
export const formatTick = (day: string, unit: 'day' | 'month', now = new Date()): string => {
  const date = new Date(day);
  const [short, withYear] = TICKS[unit];
  return (date.getUTCFullYear() === now.getFullYear() ? short : withYear)().format(date);
};
