import { formatTarget, range } from "./render-numbers.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

const MAX_SLOWDOWN = 1.3;

/** List pages in a small and a large database. */
export function listsTable({ lists, plan }) {
  const { rounds, small, large } = plan.lists;
  const pages = Object.keys(lists[0]).filter((key) => key !== "round" && key !== "server");
  const of = (server, page, key) =>
    summarize(lists.filter((entry) => entry.server === server).map((entry) => entry[page][key])).median;
  const both = (server, page) =>
    `${of(server, page, "p50").toFixed(2)}/${of(server, page, "p99").toFixed(2)}`;
  const count = (rows) => `among ${rows.toLocaleString("en")}, p50/p99`;
  return [
    `Pages of 50, one request at a time, in ms: median of ${rounds} rounds; messages are 1,000 in a chat:`,
    ...table(
      ["page", "", count(small), count(large), "p50, many / few", ""],
      pages.map((page) => {
        const ratio = paired(lists, page, rounds);
        const target = `below ${MAX_SLOWDOWN}: ${formatTarget(ratio.median < MAX_SLOWDOWN)}`;
        return [page, "", both("small", page), both("large", page), range(ratio, 2), target];
      }),
    ),
  ];
}

function paired(lists, page, rounds) {
  const of = (server, round) =>
    lists.find((entry) => entry.server === server && entry.round === round)[page].p50;
  return summarize(Array.from({ length: rounds }, (_, round) => of("large", round) / of("small", round)));
}
