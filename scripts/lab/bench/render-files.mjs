import { formatInteger, range } from "./render-numbers.mjs";
import { table } from "./render-table.mjs";
import { summarize } from "./statistics.mjs";

const CONTENDERS = ["server", "bare stream", "cp"];
const OTHERS = CONTENDERS.slice(1);

/** File uploads and downloads, and the server's speed relative to the other contenders. */
export function filesTable({ files, plan }) {
  const { megabytes, rounds } = plan.files;
  const of = (contender) => files.filter((row) => row.contender === contender);
  const perSecond = (contender, way) => {
    const { median, min, max } = summarize(of(contender).map((row) => row[way].perSecond));
    return `${formatInteger(median)} [${formatInteger(min)}-${formatInteger(max)}]`;
  };
  const cpu = (contender, way) => {
    const { median } = summarize(of(contender).map((row) => row[way].cpuMillisecondsEach));
    return Number.isNaN(median) ? "-" : median.toFixed(2);
  };
  const ratio = (way, other) => {
    const paired = of("server").map(
      (row) => row[way].perSecond / of(other).find(({ round }) => round === row.round)[way].perSecond,
    );
    return `${way} server / ${other}: ${range(summarize(paired), 2)}`;
  };
  const rows = CONTENDERS.map((name) => [
    name,
    "",
    perSecond(name, "up"),
    cpu(name, "up"),
    perSecond(name, "down"),
    cpu(name, "down"),
  ]);
  return [
    `Files of ${megabytes} MB, one at a time: median of ${rounds} rounds; an upload is on the disk and checked when it is answered, a copy by cp is not synced:`,
    ...table(["", "", "up MB/s", "CPU ms per MB", "down MB/s", "CPU ms per MB"], rows),
    `  paired: ${["up", "down"].flatMap((way) => OTHERS.map((other) => ratio(way, other))).join("; ")}`,
  ];
}
