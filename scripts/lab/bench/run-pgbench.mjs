import { execFile } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

// The statement's parameters as pgbench expressions: new ids and keys each time, and a random chat.
const VALUES = {
  account_id: ":account",
  is_sandbox: ":sandbox",
  chat_id: "('00000000-0000-7000-8000-' || lpad(:chat::text, 12, '0'))",
  id: "uuidv7()",
  event_id: "uuidv7()",
  parts: ":parts",
  effect: "null",
  reply_to: "null",
  replied_to: "null",
  preferred_service: "null",
  idempotency_key: "('bench-' || :client_id::text || '-' || :key::text)",
  override_optout: "false",
  actor_type: "'system'",
  actor_id: "null",
  window_from: "uuidv7('-60 seconds')",
  sent_since: "(now() - interval '60 seconds')",
  trace_id: ":trace",
  frozen_at: "null",
  offset_ms: "0",
};

/** Writes the accept statement as a pgbench script into `folder`: the same text with its parameters replaced. */
export function writePgbenchScript(statement, chats, folder) {
  const filled = statement.replace(/\$\d+::(\w+) as (\w+)/g, (_, type, name) => {
    if (VALUES[name] === undefined) throw new Error(`the accept statement has a new parameter: ${name}`);
    return `${VALUES[name]}::${type} as ${name}`;
  });
  if (/\$\d/.test(filled)) throw new Error("the accept statement has a parameter pgbench cannot fill in");
  const file = path.join(folder, "accept.sql");
  const settings = [`\\set chat random(1, ${chats})`, "\\set key random(1, 9000000000000000)"];
  writeFileSync(file, `${settings.join("\n")}\n${filled.replaceAll("\n", " ")};\n`);
  return file;
}

/**
 * Runs the script with prepared statements over `connections` sessions. Returns transactions per second, excluding the
 * time to connect, for which pgbench gets an extra second.
 */
export async function runPgbench({ pgbench, script, databaseUrl, accountId, sandbox, connections, seconds }) {
  const variables = {
    account: accountId,
    sandbox,
    parts: JSON.stringify([
      { type: "text", value: "Your table for two at 19:30 is confirmed.", text_decorations: null },
    ]),
    trace: "0123456789abcdef0123456789abcdef",
  };
  const { stdout } = await run(
    pgbench,
    [
      ...[
        "--no-vacuum",
        "--protocol=prepared",
        "--jobs=1",
        `--client=${connections}`,
        `--time=${seconds + 1}`,
      ],
      ...Object.entries(variables).map(([name, value]) => `--define=${name}=${value}`),
      `--file=${script}`,
      databaseUrl.split("?")[0],
    ],
    { env: { ...process.env, PGOPTIONS: "-c plan_cache_mode=force_generic_plan", PGSSLMODE: "disable" } },
  );
  const read = (pattern) => Number(pattern.exec(stdout)?.[1]);
  return {
    requests: read(/transactions actually processed: (\d+)/),
    failed: read(/failed transactions: (\d+)/),
    perSecond: read(/tps = ([\d.]+)/),
    averageMs: read(/latency average = ([\d.]+) ms/),
  };
}
