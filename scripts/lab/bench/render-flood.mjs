import { busyLine, formatTarget, range } from "./render-numbers.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

const MAX_TIMES_AS_LONG = 2;

/** Sends of a program, alone and beside a flood of sign-ins, and the memory that large bodies without a token take. */
export function floodTable({ flood, plan }) {
  const { rounds, seconds, perSecond, connections, bodies } = plan.flood;
  const of = (pick) => summarize(flood.rows.map(pick));
  const row = (name, key) => [
    name,
    ...["p50", "p95", "p99", "max"].map((part) =>
      range(
        of((entry) => entry[key][part]),
        1,
      ),
    ),
  ];
  const ratio = of(({ alone, beside }) => beside.p95 / alone.p95);
  return [
    `Sends at ${perSecond} per second, in ms: median of ${rounds} rounds of ${seconds} s:`,
    ...table(
      ["", "p50", "p95", "p99", "most"],
      [row("alone", "alone"), row(`beside ${connections} clients that try passwords`, "beside")],
    ),
    `  p95 beside / alone: ${range(ratio, 2)}, at most ${MAX_TIMES_AS_LONG}: ${formatTarget(ratio.median <= MAX_TIMES_AS_LONG)}`,
    `  attempts answered per second: ${range(
      of(({ attempts, floodSeconds }) => sumOf(attempts) / floodSeconds),
      0,
    )}`,
    busyLine(of(({ others }) => others)),
    "",
    `${bodies.connections} clients without a token send ${bodies.megabytes} MB each, memory of the server in MB above before:`,
    ...table(
      ["path", "most", "2 s after", "answers by status (0 = closed)"],
      flood.memory.map(({ path, most, kept, statuses }) => [
        path,
        `+${(most / 1e6).toFixed(0)}`,
        `+${(Math.max(0, kept) / 1e6).toFixed(0)}`,
        Object.entries(statuses)
          .map(([status, count]) => `${status}: ${count}`)
          .join(", "),
      ]),
    ),
  ];
}

function sumOf(statuses) {
  return Object.values(statuses).reduce((sum, count) => sum + count, 0);
}
