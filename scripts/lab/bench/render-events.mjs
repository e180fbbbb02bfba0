import { formatInteger, formatIntegerOrDash, formatTarget, range } from "./render-numbers.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

const LEAST_OF_BARE = 0.25;
const LISTENER_P99_MS = 250;

/** Deliveries from a backlog compared with the minimal loop, and the worker's CPU time per component. */
export function deliveriesTable({ deliveries: { rows, profile, ordered }, plan }) {
  const { backlog, connections, rounds } = plan.deliveries;
  const ratio = summarize(rows.map(({ worker, bare }) => worker.perSecond / bare.perSecond));
  const row = (name, key) => {
    const perSecond = summarize(rows.map((round) => round[key].perSecond));
    const of = (what) => formatIntegerOrDash(summarize(rows.map((round) => round[key][what])).median);
    const range = `${formatInteger(perSecond.median)} [${formatInteger(perSecond.min)}-${formatInteger(perSecond.max)}]`;
    return [name, range, of("nodeMicroseconds"), of("postgresMicroseconds")];
  };
  return [
    `Deliveries to one endpoint, ${formatInteger(backlog)} due at once, every attempt stored before it counts: median of ${rounds} rounds:`,
    ...table(
      ["", "deliveries/s [least-most]", "CPU µs each: node", "postgres"],
      [row("worker", "worker"), row(`bare undici loop, ${connections} connections`, "bare")],
    ),
    `  worker / bare loop, paired: ${range(ratio, 2)}; at least ${LEAST_OF_BARE}: ${formatTarget(ratio.median >= LEAST_OF_BARE)}`,
    `  the worker's own time (sampled, in a run of its own): ${shares(profile)}`,
    ...plan.deliveries.orders.flatMap((order) => orderTable(order, { ordered, rounds })),
  ];
}

/** The same backlog for an endpoint with `ordering` by chat and without. */
function orderTable({ chats, backlog }, { ordered, rounds }) {
  const rows = ordered.filter((row) => row.chats === chats);
  const row = (name, key) => {
    const of = (what) => summarize(rows.map((round) => round[key][what]));
    return [
      name,
      range(of("perSecond"), 0),
      formatIntegerOrDash(of("nodeMicroseconds").median),
      formatIntegerOrDash(of("postgresMicroseconds").median),
    ];
  };
  const ratio = summarize(rows.map((round) => round.ordered.perSecond / round.unordered.perSecond));
  return [
    `  ${formatInteger(backlog)} events of ${formatInteger(chats)} chats, median of ${rounds} rounds:`,
    ...table(
      ["", "deliveries/s [least-most]", "CPU µs each: node", "postgres"],
      [row("without an order", "unordered"), row("ordering by chat", "ordered")],
    ),
    `  with the order / without, paired: ${range(ratio, 2)}`,
  ];
}

/** Latency of events on the stream with many listeners. */
export function streamsTable({ streams, plan }) {
  const { listeners, sendsPerSecond, seconds, rounds } = plan.streams;
  const of = (key) => summarize(streams.map((round) => round[key]));
  const p99 = of("p99");
  const microseconds = of("microseconds").median.toFixed(0);
  return [
    `Event to receipt by each of ${formatInteger(listeners)} listeners on another process, in ms, at ${sendsPerSecond * 2} events/s: median of ${rounds} rounds of ${seconds} s:`,
    ...table(
      ["", "", "p50", "p95", "p99", "most"],
      [["listeners", "", range(of("p50"), 0), range(of("p95"), 0), range(p99, 0), range(of("max"), 0)]],
    ),
    `  p99 below ${LISTENER_P99_MS} ms: ${formatTarget(p99.median < LISTENER_P99_MS)}; ${microseconds} µs of CPU for each receipt`,
  ];
}

function shares(seconds) {
  const total = Object.values(seconds).reduce((sum, value) => sum + value, 0);
  return Object.entries(seconds)
    .toSorted(([, left], [, right]) => right - left)
    .slice(0, 7)
    .map(([part, value]) => `${part} ${formatInteger((100 * value) / total)} %`)
    .join(", ");
}
