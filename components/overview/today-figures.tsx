import type { Overview } from "@/lib/runtime/dashboard/get-overview";

const figures: { name: keyof Overview["today"]; label: string }[] = [
  { name: "sent", label: "Messages sent" },
  { name: "received", label: "Messages received" },
  { name: "delivered", label: "Delivered" },
  { name: "failed", label: "Failed" },
  { name: "webhooks_delivered", label: "Webhooks delivered" },
];

/** The figures since midnight UTC. */
export function TodayFigures({ today }: { today: Overview["today"] }) {
  return (
    <section aria-label="Today, since midnight UTC">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-xl border bg-border shadow-xs sm:grid-cols-3 lg:grid-cols-5">
        {figures.map(({ name, label }) => (
          <div
            key={name}
            className="flex flex-col-reverse justify-end gap-1 bg-card px-4 py-3.5 max-sm:last:col-span-2"
          >
            <dd className="font-semibold text-2xl tabular-nums tracking-tight">
              {today[name].toLocaleString("en-US")}
            </dd>
            <dt className="text-muted-foreground text-xs">{label} today</dt>
          </div>
        ))}
      </dl>
    </section>
  );
}
