import type { FigureChart } from "@/components/home/figure-charts";
import type { Home } from "@/lib/runtime/dashboard/get-home";

type FigureStripProps = { charts: readonly FigureChart[]; home: Home };

/** The figures alone, on phones: all of them fit above the charts, to which they lead. */
export function FigureStrip({ charts, home }: FigureStripProps) {
  return (
    <ul className="grid grid-cols-2 gap-2 sm:hidden">
      {charts.map(({ id, title, figure }) => (
        <li key={id}>
          <a
            href={`#figure-${id}`}
            className="flex flex-col rounded-lg border bg-card px-3 py-2 shadow-xs hover:bg-accent"
          >
            <span className="text-muted-foreground text-xs">{title}</span>{" "}
            <span className="font-semibold text-lg tabular-nums tracking-tight">{figure(home.total)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}
