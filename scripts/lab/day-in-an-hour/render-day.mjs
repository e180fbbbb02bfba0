import { formatTarget } from "../bench/render-numbers.mjs";
import { table } from "../bench/render-table.mjs";

/** The checks of a run as text, with one column per third of the run. */
export function renderDay({ machine, plan, rows }) {
  const { cpu, cores, memoryGigabytes, node, postgres, loadAverage } = machine;
  const { minutes, perSecond, speed } = plan;
  const header = ["check", "result", "first third", "second", "last", ""];
  return [
    `${cpu}, ${cores} cores, ${memoryGigabytes} GB; Node ${node}, PostgreSQL ${postgres}; load average at the end ${loadAverage.join(" ")}`,
    "",
    `${perSecond} messages out and ${perSecond} in per second for ${minutes} minutes; the platform clock at ${speed} times.`,
    "Rows are kept for one day, which ends with the first third:",
    ...table(header, rows.map(rowOf)),
    `  ${rows.filter(({ isMet }) => isMet === false).length} of ${rows.filter(({ isMet }) => isMet !== null).length} checks were not met`,
  ].join("\n");
}

function rowOf({ check, isMet, parts, note }) {
  const values = [0, 1, 2].map((part) => formatPart(parts[part]));
  return [check, isMet === null ? "" : formatTarget(isMet), ...values, note];
}

function formatPart(value) {
  if (value === undefined || Number.isNaN(value)) return "-";
  return value.toFixed(value < 10 ? 2 : 0);
}
