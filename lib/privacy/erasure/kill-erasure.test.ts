import "@/lib/testing/use-test-database";

import { once } from "node:events";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sql } from "@/lib/platform/database/db";
import { erasePerson, findErasure } from "@/lib/privacy/erasure/erase-person";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { tablesWith } from "@/lib/testing/database/tables-with";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { bundleProcess, type WorkerProcesses } from "@/lib/testing/processes/start-worker-process";
import { until } from "@/lib/testing/until";

const MESSAGES = 3000;
const KILLS = 4;
const CANARY = "canary-of-the-killed";

let account: TestAccount;
let workers: WorkerProcesses;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  workers =
    await bundleProcess(`import { registerDependencies } from "@/lib/runtime/wiring/register-dependencies";
    import { startErasures } from "@/lib/privacy/erasure/work-erasures";
    registerDependencies();
    startErasures(1);
    console.log("started");`);
});

afterAll(() => workers.end());

/** How far the erasure is: its step, and the place in it. */
async function progressOf(id: string): Promise<string> {
  const [row] = await sql.runText<{ progress: string }>({
    text: "select concat_ws(' ', step, cursor) as progress from person_erasures where id = $1",
    values: [id],
  });
  return row?.progress ?? "";
}

test("an erasure whose worker is killed again and again goes on where it was, and erases everything once", {
  timeout: 180_000,
}, async () => {
  const person = await createTestPhone(account);
  const { chatId } = await writeAs(account, person, { to: account.line, text: `${CANARY} first` });
  await sql.runText({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status,
             trace_id, created_at, updated_at)
           select account_id, gen_random_uuid(), chat_id, line_id, sender_id, false, parts, 'received', trace_id,
             created_at, updated_at
           from messages, generate_series(2, ${MESSAGES}) where account_id = $1 and chat_id = $2`,
    values: [account.ref.id, chatId],
  });
  const { id } = await erasePerson(account.context(), {
    params: { handle: person },
    body: { confirmation: person },
  });

  for (let kill = 1; kill <= KILLS; kill++) {
    const before = await progressOf(id);
    const worker = await workers.start();
    await until(async () => (await progressOf(id)) !== before);
    worker.kill("SIGKILL");
    await once(worker, "exit");
  }
  expect((await findErasure(account.ref.id, person))?.erased_at).toBeNull();

  await workers.start();
  await until(async () => (await findErasure(account.ref.id, person))?.erased_at !== null);
  expect((await findErasure(account.ref.id, person))?.counts).toMatchObject({ messages: MESSAGES, chats: 1 });
  expect(await tablesWith(CANARY)).toEqual([]);
});
