import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { type Erasure, findClosedChats, type Step } from "@/lib/privacy/erasure/erasure";
import { MESSAGE_TABLES } from "@/lib/privacy/erasure/person-tables";

const BATCH_MESSAGES = 500;

/** Deletes the empty messages of the direct chats with everything that refers to them, and then the chats. */
export const deleteChats: Step = {
  name: "delete-chats",
  async run(tx, erasure) {
    const { accountId } = erasure;
    const { direct } = await findClosedChats(tx, erasure);
    const rows = await tx.query<{ id: string }>({
      text: `select id from messages where account_id = $1 and chat_id = any($2::uuid[]) limit ${BATCH_MESSAGES}`,
      values: [accountId, direct],
    });
    const messageIds = rows.map(({ id }) => id);
    for (const table of MESSAGE_TABLES) {
      await tx.query({
        text: `delete from ${table} where account_id = $1 and message_id = any($2::uuid[])`,
        values: [accountId, messageIds],
      });
    }
    await tx.query({
      text: "delete from messages where account_id = $1 and id = any($2::uuid[])",
      values: [accountId, messageIds],
    });
    if (rows.length === BATCH_MESSAGES) return { counts: {}, cursor: {} };
    await deleteEmpty(tx, erasure, direct);
    return { counts: {}, cursor: null };
  },
};

async function deleteEmpty(tx: Sql, { accountId }: Erasure, direct: readonly string[]): Promise<void> {
  await tx.query({
    text: "delete from webhook_sequences where account_id = $1 and chat_id = any($2::uuid[])",
    values: [accountId, direct],
  });
  await tx.query({
    text: "delete from chats where account_id = $1 and id = any($2::uuid[])",
    values: [accountId, direct],
  });
  await tx.query({ text: "delete from simulator_snapshots where account_id = $1", values: [accountId] });
}
