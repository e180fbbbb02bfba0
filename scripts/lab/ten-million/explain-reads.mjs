import { readFileSync, statSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import { requestRead } from "./measure-reads.mjs";

/** Each new connection to a database with these settings logs the plan of every statement. */
const SETTINGS = {
  session_preload_libraries: "auto_explain",
  "auto_explain.log_min_duration": "0",
  "auto_explain.log_analyze": "on",
  "auto_explain.log_buffers": "on",
  "auto_explain.log_parameter_max_length": "200",
};
/** Statements that a server runs at any time, those that find the user of a request, and settings of a transaction. */
const NOT_OF_THE_READ =
  /^(insert into (api_requests|token_minutes)|select (clock_timestamp|pg_notify|set_config|s\.id, s\.user_id|t\.hash)|listen|update (sessions|api_tokens))/i;
const ENTRY =
  /^\d{4}-\d\d-\d\d .*? LOG: {2}duration: ([\d.]+) ms {2}plan:\n\tQuery Text: ((?:.*\n?)(?:\t.*\n?)*)/gm;

/** Turns the log of plans on for new connections to a database, or off again. */
export async function logPlans({ queryAsAdmin }, { name }, isOn) {
  for (const [setting, value] of Object.entries(SETTINGS)) {
    const change = isOn ? `set ${setting} = '${value}'` : `reset ${setting}`;
    await queryAsAdmin(`alter database ${name} ${change}`);
  }
}

/**
 * Requests each read of a server whose connections log their plans. Returns the statements of each read by its name:
 * `[{ ms, text }]` with the EXPLAIN (ANALYZE, BUFFERS) of PostgreSQL, the slowest first.
 */
export async function explainReads(server, { logFile, report }) {
  const explained = {};
  for (const read of server.reads) {
    // The first request prepares named statements, so the second shows the plan that is used from then on.
    await requestRead(server, read).catch(() => undefined);
    await sleep(20);
    const from = statSync(logFile).size;
    await requestRead(server, read).catch(() => undefined);
    await sleep(20);
    explained[read.name] = plansIn(readFileSync(logFile).subarray(from).toString());
  }
  report(`  explained the statements of ${server.reads.length} reads`);
  return explained;
}

function plansIn(log) {
  return [...log.matchAll(ENTRY)]
    .map(([, ms, text]) => ({ ms: Number(ms), text: text.replaceAll("\n\t", "\n").trim() }))
    .filter(({ text }) => !NOT_OF_THE_READ.test(text))
    .toSorted((a, b) => b.ms - a.ms);
}
