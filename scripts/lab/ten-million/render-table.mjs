import { busyLine, formatInteger, formatTarget, range } from "../bench/render-numbers.mjs";
import { table } from "../bench/render-table.mjs";

const MAX_SLOWDOWN = 1.3;
const MAX_P95_MS = 150;
const MIN_WRITE_RATIO = 0.8;
/** A statement with at least this share of its read's time in PostgreSQL is shown. */
const SHOWN_SHARE = 0.2;

/** The measurements as text: a row and a result for each read and each write. */
export function renderTenMillion({ machine, counts, small, reads, writes, othersCores }) {
  const { cpu, cores, memoryGigabytes, node, postgres, loadAverage } = machine;
  return [
    `${cpu}, ${cores} cores, ${memoryGigabytes} GB; Node ${node}, PostgreSQL ${postgres}; load average at the end ${loadAverage.join(" ")}`,
    "",
    `Reads of one user among ${rowsOf(counts)}, compared with ${rowsOf(small)}, in ms.`,
    `The p50 at most ${MAX_SLOWDOWN} times that of few rows, and p95 below ${MAX_P95_MS} ms:`,
    ...table(["read", "result", "p50, few", "p50, many", "many / few", "p95, many"], reads.map(readRow)),
    `  ${reads.filter(isReadMet).length} of ${reads.length} reads met both`,
    ...reads.filter(({ error }) => error !== undefined).map(({ error }) => `  ${error}`),
    busyLine(othersCores),
    "",
    `Writes per second in the large account, compared with an empty one; at least ${MIN_WRITE_RATIO}:`,
    ...table(["write", "result", "empty", "large", "large / empty"], writes.map(writeRow)),
  ].join("\n");
}

/** The statements of these reads with their plans. Fast statements of a read that has slower ones are left out. */
export function renderPlans(reads, plans) {
  return reads
    .map(({ name }) => {
      const statements = plans[name] ?? [];
      const total = statements.reduce((sum, { ms }) => sum + ms, 0);
      const shown = statements.filter(({ ms }) => ms >= total * SHOWN_SHARE);
      return [
        `=== ${name}: ${statements.length} statements, ${total.toFixed(1)} ms`,
        ...shown.map(({ ms, text }) => `--- ${ms.toFixed(2)} ms\n${text}`),
      ].join("\n");
    })
    .join("\n\n");
}

/** Whether a read answered, was as fast as among few rows, and fast. */
export function isReadMet({ error, ratio, large }) {
  return error === undefined && ratio.median <= MAX_SLOWDOWN && large.p95 < MAX_P95_MS;
}

function rowsOf(counts) {
  return `${formatInteger(counts.messages)} messages, ${formatInteger(counts.events)} events and ${formatInteger(counts.chats)} chats`;
}

function readRow(row) {
  if (row.error !== undefined) return [row.name, "FAILED", "", "", "", ""];
  const { name, small, large, ratio } = row;
  return [
    name,
    formatTarget(isReadMet(row)),
    small.p50.toFixed(1),
    large.p50.toFixed(1),
    range(ratio, 2),
    large.p95.toFixed(1),
  ];
}

function writeRow({ name, empty, large, ratio }) {
  const isMet = ratio.median >= MIN_WRITE_RATIO;
  return [
    name,
    formatTarget(isMet),
    formatInteger(empty.median),
    formatInteger(large.median),
    range(ratio, 2),
  ];
}
