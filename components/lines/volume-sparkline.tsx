import type { LineView } from "@/lib/lines/overview/list-line-views";

const WIDTH = 84;
const HEIGHT = 20;

/** A sparkline of seven days of messages: sent at the bottom, received stacked on top. */
export function VolumeSparkline({ week }: { week: LineView["week"] }) {
  const sent = sum(week.map((day) => day.sent));
  const received = sum(week.map((day) => day.received));
  if (sent + received === 0)
    return <span className="text-muted-foreground text-xs">No messages in 7 days</span>;
  const most = Math.max(...week.map((day) => day.sent + day.received));
  const step = WIDTH / week.length;
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(1.5, (count / most) * HEIGHT));
  return (
    <span className="inline-flex items-center gap-2.5">
      <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
        <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-border" />
        {week.map((day, index) => {
          const foot = heightOf(day.sent);
          const place = { x: index * step, width: step - 2 };
          const top = heightOf(day.received);
          return (
            <g key={day.date}>
              <rect {...place} y={HEIGHT - foot} height={foot} className="fill-info" />
              <rect {...place} y={Math.max(0, HEIGHT - foot - top)} height={top} className="fill-received" />
            </g>
          );
        })}
      </svg>
      <span className="whitespace-nowrap tabular-nums">
        {(sent + received).toLocaleString("en")}
        <span className="sr-only">
          {" "}
          messages in 7 days: {sent} sent, {received} received
        </span>
      </span>
    </span>
  );
}

function sum(counts: number[]): number {
  return counts.reduce((total, count) => total + count, 0);
}
