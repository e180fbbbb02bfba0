import { formatTarget, range } from "./render-numbers.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

const MAX_TIMES_AS_LONG = 2;

/** Searches of one account, alone and during hostile searches of another account. */
export function searchesTable({ searches, plan }) {
  const { rounds } = plan.searches;
  const of = (pick) => summarize(searches.map(pick));
  const row = (name, key) => [
    name,
    ...["p50", "p95", "max"].map((part) =>
      range(
        of((entry) => entry[key][part]),
        1,
      ),
    ),
  ];
  const ratio = of(({ alone, beside }) => beside.p95 / alone.p95);
  return [
    `Event searches of one account, in ms: median of ${rounds} rounds:`,
    ...table(
      ["", "p50", "p95", "most"],
      [row("alone", "alone"), row("beside 12 hostile JSON-path searches of another account", "beside")],
    ),
    `  p95 beside / alone: ${range(ratio, 2)}, at most ${MAX_TIMES_AS_LONG}: ${formatTarget(ratio.median <= MAX_TIMES_AS_LONG)}`,
  ];
}
