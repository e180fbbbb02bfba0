// npx node scripts/lab/ten-million.mjs [--messages 10000000] [--rounds 5] [--keep]: fills an account with ten million messages
// and events and measures every list of the API, every page of the dashboard, sends and receipts. Compares the reads
// with the same account at 10,000 rows and the writes with an empty one. Starts its own PostgreSQL, and refuses to fill
// a disk that is too small. --keep keeps the data directory.
import { parseArgs } from "node:util";
import { buildIfStale } from "../build.mjs";
import { startServer } from "../instance/start-server.mjs";
import { otherProgramsCpuSeconds } from "./bench/cpu-seconds.mjs";
import { describeMachine } from "./bench/describe-machine.mjs";
import { findTools } from "./bench/find-tools.mjs";
import { openDatabases } from "./bench/open-databases.mjs";
import { runMeasurement } from "./bench/run-measurement.mjs";
import { summarize } from "./bench/statistics.mjs";
import { writeResult } from "./bench/write-result.mjs";
import { createDemo } from "./ten-million/create-demo.mjs";
import { freeBytes, measureRows, requiredBytes } from "./ten-million/estimate-disk.mjs";
import { explainReads, logPlans } from "./ten-million/explain-reads.mjs";
import { fillAccount } from "./ten-million/fill-account.mjs";
import { listReads } from "./ten-million/list-reads.mjs";
import { addOlderPages, measureReads } from "./ten-million/measure-reads.mjs";
import { measureWrites } from "./ten-million/measure-writes.mjs";
import { readParams } from "./ten-million/read-params.mjs";
import { isReadMet, renderPlans, renderTenMillion } from "./ten-million/render-table.mjs";
import { emptyCounts, rowCounts, smallCounts } from "./ten-million/row-counts.mjs";

const LEAST_MESSAGES = 10_000;
const READS = { requests: 10 };
const WRITES = { connections: [10, 50], seconds: 20 };

const { values } = parseArgs({
  options: {
    messages: { type: "string", default: "10000000" },
    keep: { type: "boolean", default: false },
    rounds: { type: "string", default: "5" },
  },
});
const messages = Number(values.messages);
const rounds = Number(values.rounds);
if (!(Number.isInteger(messages) && messages >= LEAST_MESSAGES && Number.isInteger(rounds) && rounds > 0)) {
  process.stderr.write(
    `--messages must be a whole number of at least ${LEAST_MESSAGES}, and --rounds a whole number above 0.\n`,
  );
  process.exit(1);
}
const report = (line) => process.stdout.write(`${line}\n`);
const stops = [];

await runMeasurement(measure, stops);

async function measure() {
  const tools = findTools();
  await buildIfStale();
  const databases = await openDatabases({ names: ["template"], keep: values.keep });
  stops.push(databases.close);
  if (values.keep) report(`data directory: ${databases.dataDir}`);

  const accounts = await fillAccounts(databases);
  const { reads, plans, othersCores } = await measureAllReads(databases, accounts);
  report("measuring writes");
  const writes = await measureWrites(accounts, { ...WRITES, rounds, tools, databases, report });

  const result = {
    machine: describeMachine(databases, tools),
    counts: accounts.large.counts,
    small: accounts.small.counts,
    reads,
    writes,
    othersCores,
  };
  const slow = reads.filter((read) => !isReadMet(read));
  report(`\n${renderTenMillion(result)}`);
  if (slow.length > 0)
    report(`\nThe plans of the reads that did not meet the target:\n\n${renderPlans(slow, plans)}`);
  report(`\nAll measurements: ${writeResult({ ...result, plans }, "-ten-million.json")}`);
  report(`The plans of all reads: ${writeResult(renderPlans(reads, plans), "-ten-million-plans.txt")}`);
}

/** Creates the demo's account three times: with 10,000 rows, with all rows, and with chats only. */
async function fillAccounts(databases) {
  report("creating the demo");
  const demo = await createDemo(databases.template);
  const counts = rowCounts(messages);
  const until = Date.now();
  const fill = async (name, ofAccount) => {
    report(`filling ${name}: ${ofAccount.messages} messages`);
    const database = await databases.copy("template", name);
    await fillAccount(database, { demo, counts: ofAccount, until, report });
    return {
      ...demo,
      demo,
      database,
      counts: ofAccount,
      phones: ofAccount.simulator_phones,
      chats: ofAccount.chats,
    };
  };

  const small = await fill("small", smallCounts(counts));
  requireDisk(databases, await measureRows(small.database, small.counts), counts);
  const empty = await fill("empty", emptyCounts(counts));
  const large = await fill("large", counts);
  return { small, empty, large };
}

function requireDisk({ directory }, bytesPerRow, counts) {
  const [needed, free] = [requiredBytes(bytesPerRow, counts), freeBytes(directory)];
  const inGigabytes = (bytes) => `${(bytes / 1e9).toFixed(1)} GB`;
  report(`the fill needs ${inGigabytes(needed)} in ${directory}, and ${inGigabytes(free)} are free`);
  if (free >= needed) return;
  throw new Error(
    `the disk is too small: ${inGigabytes(needed)} are needed and ${inGigabytes(free)} are free. Set TMPDIR to a folder on a larger disk, or choose fewer --messages.`,
  );
}

async function measureAllReads(databases, { small, large }) {
  const open = async ({ database, demo, counts }) => {
    const server = await startServer({ ...database.env, ROLE: "web" });
    stops.push(server.stop);
    const reads = listReads(await readParams(database, { demo, counts }));
    return { ...server, reads, token: demo.token, cookie: demo.cookie };
  };
  const servers = { small: await open(small), large: await open(large) };
  await addOlderPages(servers);
  report(`measuring ${servers.large.reads.length} reads`);
  const from = { at: performance.now(), others: otherProgramsCpuSeconds() };
  const reads = await measureReads(servers, { ...READS, rounds, report });
  const seconds = (performance.now() - from.at) / 1000;
  const othersCores = summarize([(otherProgramsCpuSeconds() - from.others) / seconds]);
  await Promise.all([servers.small.stop(), servers.large.stop()]);

  await logPlans(databases, large.database, true);
  const explained = { ...servers.large, ...(await startServer({ ...large.database.env, ROLE: "web" })) };
  stops.push(explained.stop);
  const plans = await explainReads(explained, { logFile: databases.logFile, report });
  await explained.stop();
  await logPlans(databases, large.database, false);
  return { reads, plans, othersCores };
}
