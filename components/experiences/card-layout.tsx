import type { ExperienceCard } from "@/lib/payments/experiences/to-card";

/** A card as phones show it: two captions on the left and two on the right. */
export function CardLayout({ app, layout }: Pick<ExperienceCard, "app" | "layout">) {
  return (
    <div className="overflow-hidden rounded-2xl border bg-bubble-inbound text-bubble-inbound-foreground">
      <p className="border-b px-3.5 py-1.5 text-xs">{app.name}</p>
      <div className="flex items-start justify-between gap-3 px-3.5 py-2.5 text-[0.8125rem]">
        <div className="wrap-anywhere flex min-w-0 flex-col">
          <span className="font-semibold">{layout.caption}</span>
          {layout.subcaption && <span>{layout.subcaption}</span>}
        </div>
        <div className="flex shrink-0 flex-col text-right tabular-nums">
          {layout.trailing_caption && <span className="font-semibold">{layout.trailing_caption}</span>}
          {layout.trailing_subcaption && <span>{layout.trailing_subcaption}</span>}
        </div>
      </div>
    </div>
  );
}
