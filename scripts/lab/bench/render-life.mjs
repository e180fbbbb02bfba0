import { formatInteger, range } from "./render-numbers.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

const NAMES = {
  out: "Whole life of a send: accepted, handed over, sent, delivered 200 ms later, two webhooks answered and stored",
  "out at once": "Whole life of a send to a phone that reports at once",
  in: "Whole life of a received message: received, one webhook answered and stored",
};

/** The cost of whole messages, and of each step by number of connections. */
export function lifeTables({ life, plan }) {
  const { rounds, seconds } = plan.life;
  return Object.entries(NAMES).flatMap(([direction, name]) => {
    const rows = life.filter((row) => row.direction === direction);
    return [
      `${name}, median of ${rounds} rounds of ${seconds} s:`,
      ...lifeTable(rows),
      ...stepTable(rows),
      "",
    ];
  });
}

function lifeTable(rows) {
  const header = [
    "connections",
    "",
    "messages/s",
    "CPU µs each: node",
    "postgres",
    "both",
    "statements",
    "WAL bytes",
    "last webhook after",
  ];
  return table(
    header,
    byConnections(rows).map(([connections, measured]) => {
      const of = (pick) => summarize(measured.map(pick));
      return [
        connections,
        "",
        range(
          of((row) => row.perSecond),
          0,
        ),
        formatInteger(of((row) => row.nodeMicroseconds).median),
        formatInteger(of((row) => row.postgresMicroseconds).median),
        range(
          of((row) => row.nodeMicroseconds + row.postgresMicroseconds),
          0,
        ),
        of((row) => row.statements).median.toFixed(1),
        formatInteger(of((row) => row.walBytes).median),
        `${of((row) => row.settledSeconds).median.toFixed(1)} s`,
      ];
    }),
  );
}

// Each cell: statements, rows, WAL bytes and PostgreSQL's execution time (its CPU and its waits) per message.
function stepTable(rows) {
  const columns = byConnections(rows);
  const names = new Set(rows.flatMap(({ steps }) => steps.map(({ step }) => step)));
  const cellOf = (measured, name) => {
    const of = (key) =>
      summarize(measured.map(({ steps }) => steps.find(({ step }) => step === name)?.[key] ?? 0)).median;
    return { calls: of("calls"), rows: of("rows"), wal: of("walBytes"), us: of("microseconds") };
  };
  const cells = [...names].map((name) => [name, ...columns.map(([, measured]) => cellOf(measured, name))]);
  const sorted = cells.toSorted((a, b) => b[1].us - a[1].us);
  return table(
    ["  step", "", ...columns.map(([connections]) => `at ${connections}: statements / rows / WAL / µs`)],
    sorted.map(([name, ...costs]) => [
      `  ${name}`,
      "",
      ...costs.map(({ calls, rows: count, wal, us }) =>
        [calls.toFixed(2), count.toFixed(1), formatInteger(wal), formatInteger(us)].join(" / "),
      ),
    ]),
  );
}

function byConnections(rows) {
  return [...Map.groupBy(rows, ({ connections }) => connections)].toSorted(([a], [b]) => a - b);
}

/** Renders the cost of an idle server. */
export function idleLines({ idle, plan }) {
  const { nodeSecondsPerMinute, postgresSecondsPerMinute, statementsPerSecond, statements } = idle;
  const most = statements.toSorted((a, b) => b.perMinute - a.perMinute).slice(0, 10);
  return [
    `Idle for ${plan.idle.seconds} s: CPU seconds per minute ${nodeSecondsPerMinute.toFixed(2)} (node) and ${postgresSecondsPerMinute.toFixed(2)} (PostgreSQL), ${statementsPerSecond.toFixed(1)} statements per second. Most frequent, per minute:`,
    ...most.map(({ perMinute, text }) => `  ${perMinute.toFixed(0).padStart(5)}  ${text.slice(0, 100)}`),
  ];
}

/** Renders the start of an instance on new data. */
export function startLines({ start }) {
  const of = (key) => summarize(start.map((row) => row[key]));
  return [
    `Start on new data until ready: ${range(of("seconds"), 1)} s, ${range(of("cpuSeconds"), 1)} s of the server's CPU, ${range(of("residentMegabytes"), 0)} MB resident`,
  ];
}
