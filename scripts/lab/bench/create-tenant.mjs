import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { callInstance } from "../../instance/call-instance.mjs";

const run = promisify(execFile);
const ADMIN = fileURLToPath(new URL("../../../dist/admin.mjs", import.meta.url));
const LINE = "+15550100001";

/** The path that sends to one of the tenant's chats. %012d is the chat's number, starting at 1. */
export const CHAT_PATH = "/v3/chats/00000000-0000-7000-8000-%012d/messages";

/** The body of a send. KEY is replaced with the idempotency key. */
export const SEND_BODY = JSON.stringify({
  message: {
    parts: [{ type: "text", value: "Your table for two at 19:30 is confirmed." }],
    idempotency_key: "KEY",
  },
});

/** Replaces %0<width>d in a path with a number. */
export function numbered(path, number) {
  return path.replace(/%0(\d+)d/, (_, width) => String(number).padStart(Number(width), "0"));
}

/** Runs an admin command on a database, as an operator would. Returns its output. */
export async function runAdmin(database, ...args) {
  const { stdout } = await run(process.execPath, [ADMIN, ...args], {
    env: { ...process.env, ...database.env },
  });
  return stdout.trim();
}

/** Creates a partner with an account of the given type, an iMessage line and a token, as an operator would. */
export async function createTenant(database, type) {
  const admin = (...args) => runAdmin(database, ...args);
  const idIn = (text) => text.split(/\s+/)[1];

  const partnerId = idIn(await admin("create-partner", "--name", "Bench"));
  const account = ["--partner", partnerId, "--name", "bench", "--type", type];
  const accountId = idIn(await admin("create-account", ...account));
  // Only sandbox accounts have simulated lines. The benchmark of a production account uses one anyway.
  const setType = (to) => database.query(`update accounts set type = '${to}' where id = '${accountId}'`);
  await setType("sandbox");
  await admin("create-line", "--account", accountId, "--number", LINE, "--type", "iMessage");
  await setType(type);
  // The simulated phones never reply, so the line would be flagged and reject all sends.
  await database.query("update lines set auto_flag_paused_until = now() + interval '1 year'");
  const [token] = (await admin("create-token", "--account", accountId, "--name", "bench")).split("\n");
  return { accountId, line: LINE, token };
}

/**
 * SQL of the id and the handle of chat number n. The handles differ from the handle of the first chat, which the others
 * copy.
 */
export const CHAT_ID = "('00000000-0000-7000-8000-' || lpad(n::text, 12, '0'))";
export const HANDLE = "('+1556' || lpad(n::text, 7, '0'))";

/**
 * Gives the account of a sandbox `count` chats with people who have written to its line: only they can be messaged in a
 * sandbox.
 */
export async function addPhones({ baseUrl }, database, { accountId, line, token }, count) {
  const handle = "+15550100101";
  await callInstance({ baseUrl, token }, "POST /simulator/phones", { handle, name: "Bench" });
  await callInstance({ baseUrl, token }, `POST /simulator/phones/${handle}/messages`, {
    to: line,
    text: "Hello",
  });
  await copyChats(database, accountId, count);
}

/**
 * Gives the account `count` chats with numbered ids, and simulated phones if it has any. All are copies of its only
 * chat.
 */
export async function copyChats(database, accountId, count) {
  const copies = {
    chats: `jsonb_build_object('id', ${CHAT_ID}, 'recipient_handle', ${HANDLE}, 'participants_key', ${HANDLE})`,
    participants: `jsonb_build_object('id', gen_random_uuid(), 'chat_id', ${CHAT_ID},
      'handle', case when old.is_me then old.handle else ${HANDLE} end)`,
    contacts: `jsonb_build_object('handle', ${HANDLE})`,
    line_contacts: `jsonb_build_object('handle', ${HANDLE})`,
    simulator_phones: `jsonb_build_object('handle', ${HANDLE})`,
  };
  for (const [table, changes] of Object.entries(copies)) {
    await database.query(
      `insert into ${table} select new.* from ${table} old, generate_series(1, $2) n,
         lateral jsonb_populate_record(old, ${changes}) new
       where old.account_id = $1`,
      [accountId, count],
    );
  }
  // Not the other tables: a plan that is made for an empty table stays in use until the next analyze.
  await database.query(`analyze ${Object.keys(copies).join(", ")}`);
}
