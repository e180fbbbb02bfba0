import { formatInteger, formatIntegerOrDash } from "./render-numbers.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

/** Messages received from phones and stored. */
export function inboundTable({ inbound, plan }) {
  const { rounds, seconds } = plan.inbound;
  const header = [
    "connections",
    "",
    "messages/s [least-most]",
    "p50/p99 ms",
    "CPU µs each: node",
    "postgres",
  ];
  const rows = plan.inbound.connections.map((connections) => {
    const measured = inbound.filter((row) => row.connections === connections);
    const of = (key) => summarize(measured.map((row) => row[key]));
    const perSecond = of("perSecond");
    return [
      connections,
      "",
      `${formatInteger(perSecond.median)} [${formatInteger(perSecond.min)}-${formatInteger(perSecond.max)}]`,
      `${of("p50").median.toFixed(1)}/${of("p99").median.toFixed(1)}`,
      formatIntegerOrDash(of("nodeMicroseconds").median),
      formatIntegerOrDash(of("postgresMicroseconds").median),
    ];
  });
  return [
    `Messages received per second, each stored with its event when its phone is answered: median of ${rounds} rounds of ${seconds} s:`,
    ...table(header, rows),
  ];
}
