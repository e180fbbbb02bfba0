import { deliveriesTable, streamsTable } from "./render-events.mjs";
import { filesTable } from "./render-files.mjs";
import { floodTable } from "./render-flood.mjs";
import { inboundTable } from "./render-inbound.mjs";
import { idleLines, lifeTables, startLines } from "./render-life.mjs";
import { listsTable } from "./render-lists.mjs";
import { busyLine, formatInteger, formatIntegerOrDash, formatTarget, range } from "./render-numbers.mjs";
import { searchesTable } from "./render-searches.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

const TARGETS = [
  { over: "pgbench", connections: 10, least: 0.4 },
  { over: "pgbench", connections: 50, least: 0.8 },
];
const ROUNDS_PER_RESULT = 5;

/**
 * Renders the measured parts of a run as text: tables, ratios with their range, whether targets were met, and CPU time
 * per component.
 */
export function renderReport(result) {
  const sections = {
    sends: () => [...sendsTable(result), "", ...ratiosTable(result)],
    profiles: () => profileTable(result.profiles),
    webhooks: () => webhooksTable(result),
    deliveries: () => deliveriesTable(result),
    streams: () => streamsTable(result),
    inbound: () => inboundTable(result),
    life: () => lifeTables(result),
    flood: () => floodTable(result),
    idle: () => idleLines(result),
    start: () => startLines(result),
    files: () => filesTable(result),
    lists: () => listsTable(result),
    searches: () => searchesTable(result),
  };
  const measured = Object.entries(sections).filter(([part]) => result[part] !== undefined);
  return ["", machineLine(result.machine), ...measured.flatMap(([, render]) => ["", ...render()])].join("\n");
}

function machineLine(machine) {
  const { cpu, cores, memoryGigabytes, node, postgres, load, pgbench, loadAverage } = machine;
  return `${cpu}, ${cores} cores, ${memoryGigabytes} GB; Node ${node}, PostgreSQL ${postgres}; ${load}, ${pgbench ?? "no pgbench"}; load average at the end ${loadAverage.join(" ")}`;
}

function sendsTable({ sends, plan }) {
  const { rounds, seconds } = plan.sends;
  const header = [
    "connections",
    "contender",
    "sends/s [least-most]",
    "p50/p99 ms",
    "CPU µs each: node",
    "postgres",
    "cores",
  ];
  const rows = groups(sends).map(({ connections, contender, rows: measured }) => {
    const of = (pick) => summarize(measured.map(pick)).median;
    const perSecond = summarize(measured.map((row) => row.perSecond));
    const latency =
      contender === "pgbench"
        ? `${of((row) => row.averageMs).toFixed(1)} mean`
        : `${of((row) => row.p50).toFixed(1)}/${of((row) => row.p99).toFixed(1)}`;
    const cores = of((row) => (row.coresUsed.node || 0) + (row.coresUsed.postgres || 0));
    return [
      connections,
      contender,
      `${formatInteger(perSecond.median)} [${formatInteger(perSecond.min)}-${formatInteger(perSecond.max)}]`,
      latency,
      formatIntegerOrDash(of((row) => row.nodeMicroseconds)),
      formatIntegerOrDash(of((row) => row.postgresMicroseconds)),
      cores.toFixed(2),
    ];
  });
  return [
    `Accepted sends per second, median of ${rounds} rounds of ${seconds} s, order reversed each round:`,
    ...table(header, rows),
    ...workerLines(sends),
    ...othersLine(sends),
  ];
}

function othersLine(sends) {
  const others = summarize(sends.map((row) => row.coresUsed.others));
  return Number.isNaN(others.median) ? [] : [busyLine(others)];
}

function workerLines(sends) {
  return groups(sends.filter((row) => row.catchUpSeconds !== undefined)).map(({ connections, rows }) => {
    const share = summarize(rows.map((row) => row.sentMeanwhile * 100)).median;
    const late = rows.some((row) => row.catchUpSeconds === null);
    const seconds = late
      ? "more than 15"
      : summarize(rows.map((row) => row.catchUpSeconds)).median.toFixed(1);
    return `  with the worker at ${connections} connections: ${formatInteger(share)} % were sent on by the end; the rest, all receipts and all webhooks within ${seconds} s after`;
  });
}

function ratiosTable({ sends, plan }) {
  const others = [...new Set(sends.map((row) => row.contender))].filter((name) => name !== "server");
  const rows = plan.sends.connections.flatMap((connections) =>
    others.map((over) => {
      const ratio = summarize(ratios(sends, connections, over));
      return [connections, `server / ${over}`, range(ratio, 2), outcome({ connections, over, ratio, plan })];
    }),
  );
  return [
    "Paired in each round, median [least-most]:",
    ...table(["connections", "ratio", "", "target"], rows),
  ];
}

function ratios(sends, connections, over) {
  const of = (name) => sends.filter((row) => row.contender === name && row.connections === connections);
  return of("server").map(
    (row) => row.perSecond / of(over).find((other) => other.round === row.round).perSecond,
  );
}

function outcome({ connections, over, ratio, plan }) {
  const target = TARGETS.find(
    (candidate) => candidate.over === over && candidate.connections === connections,
  );
  if (target === undefined) return "";
  const doubt = plan.sends.rounds < ROUNDS_PER_RESULT ? ", too few rounds to tell" : "";
  return `at least ${target.least}: ${formatTarget(ratio.median >= target.least)}${doubt}`;
}

function profileTable(profiles) {
  const totals = profiles.map(({ seconds }) => Object.values(seconds).reduce((sum, value) => sum + value, 0));
  const parts = [...new Set(profiles.flatMap(({ seconds }) => Object.keys(seconds)))];
  const share = (profile, part) => (100 * (profiles[profile].seconds[part] ?? 0)) / totals[profile];
  const rows = parts
    .filter((part) => share(0, part) >= 0.5)
    .toSorted((a, b) => share(0, b) - share(0, a))
    .map((part) => [part, ...profiles.map((_, index) => `${share(index, part).toFixed(0)} %`)]);
  const header = [
    "part of the server's own time",
    ...profiles.map(({ connections }) => `${connections} conn.`),
  ];
  return ["Where the server's time goes (sampled, in a run of its own):", ...table(header, rows)];
}

function webhooksTable({ webhooks, plan }) {
  const { perSecond, seconds, rounds } = plan.webhooks;
  const row = (name, pick) => [
    name,
    ...["p50", "p95", "p99", "max"].map((key) => {
      const of = summarize(webhooks.map((round) => pick(round)[key]));
      return range(of, 1);
    }),
  ];
  return [
    `First webhook attempt received, in ms, at ${perSecond} events/s: median of ${rounds} rounds of ${seconds} s:`,
    ...table(
      ["from", "p50", "p95", "p99", "most"],
      [
        row("the event (before its commit)", (round) => round.toWebhook),
        row("the send's acceptance", (round) => round.acceptToWebhook),
      ],
    ),
  ];
}

function groups(sends) {
  const byKey = Map.groupBy(sends, (row) => `${row.connections} ${row.contender}`);
  return [...byKey.values()]
    .map((rows) => ({ connections: rows[0].connections, contender: rows[0].contender, rows }))
    .toSorted((a, b) => a.connections - b.connections);
}
