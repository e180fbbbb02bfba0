import type { z } from "zod";
import type { ListWebhookSubscriptionViews } from "@/lib/webhooks/endpoints/list-webhook-subscription-views";

export type WatchedEndpoint = z.infer<(typeof ListWebhookSubscriptionViews)["returns"]>["endpoints"][number];

const WIDTH = 96;
const HEIGHT = 20;

/** The attempts of the last 24 hours: one bar per hour with failures at the bottom, and the success rate. */
export function HealthSparkline({ day }: { day: WatchedEndpoint["last_24_hours"] }) {
  const total = day.succeeded + day.failed;
  if (total === 0) return <span className="text-muted-foreground text-xs">No attempts in 24 hours</span>;
  return (
    <span className="inline-flex items-center gap-2.5">
      <Bars hours={day.hours} />
      <span className="whitespace-nowrap tabular-nums">
        {percent(day.succeeded / total)}
        <span className="sr-only"> of {total} attempts in the last 24 hours succeeded</span>
      </span>
    </span>
  );
}

function Bars({ hours }: { hours: WatchedEndpoint["last_24_hours"]["hours"] }) {
  const most = Math.max(...hours.map(({ succeeded, failed }) => succeeded + failed));
  const step = WIDTH / hours.length;
  const heightOf = (count: number) => (count === 0 ? 0 : Math.max(2, (count / most) * HEIGHT));
  return (
    <svg width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      <path d={`M0 ${HEIGHT - 0.5}H${WIDTH}`} className="stroke-border" />
      {hours.map(({ at, succeeded, failed }, index) => {
        const whole = heightOf(succeeded + failed);
        const foot = failed === 0 ? 0 : Math.max(2, (failed / (succeeded + failed)) * whole);
        const place = { x: index * step, width: step - 1 };
        return (
          <g key={at}>
            <rect {...place} y={HEIGHT - whole} height={whole} className="fill-success" />
            <rect {...place} y={HEIGHT - foot} height={foot} className="fill-destructive-text" />
          </g>
        );
      })}
    </svg>
  );
}

// Never round up to 100%: 99.96% means that some attempts failed.
function percent(share: number): string {
  const shown = share === 1 ? 100 : Math.min(99.9, Math.round(share * 1000) / 10);
  return `${shown}%`;
}
