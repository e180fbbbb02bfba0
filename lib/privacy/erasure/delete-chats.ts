import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { MESSAGE_TABLES } from "@/lib/privacy/erasure/deleted-tables";
import { type Erasure, findClosedChats, type Step } from "@/lib/privacy/erasure/erasure";

const BATCH_MESSAGES = 500;

const FIND_MESSAGES_OF_CHATS = plannedStatement(
  "find-messages-of-chats",
  `select id from messages where account_id = :accountId and chat_id = any(:direct::uuid[]) limit ${BATCH_MESSAGES}`,
);

const DELETE_MESSAGES_OF_CHATS = plannedStatement(
  "delete-messages-of-chats",
  "delete from messages where account_id = :accountId and id = any(:messageIds::uuid[])",
);

/** Deletes the empty messages of the direct chats with everything that refers to them, and then the chats. */
export const deleteChats: Step = {
  name: "delete-chats",
  async run(tx, erasure) {
    const { accountId } = erasure;
    const { direct } = await findClosedChats(tx, erasure);
    const rows = await tx.run(FIND_MESSAGES_OF_CHATS, { accountId, direct });
    const messageIds = rows.map(({ id }) => id);
    for (const table of MESSAGE_TABLES) {
      await tx.runText({
        text: `delete from ${table} where account_id = $1 and message_id = any($2::uuid[])`,
        values: [accountId, messageIds],
      });
    }
    await tx.run(DELETE_MESSAGES_OF_CHATS, { accountId, messageIds });
    if (rows.length === BATCH_MESSAGES) return { counts: {}, cursor: {} };
    await deleteEmpty(tx, erasure, direct);
    return { counts: {}, cursor: null };
  },
};

const DELETE_SEQUENCES_OF_CHATS = plannedStatement(
  "delete-sequences-of-chats",
  "delete from webhook_sequences where account_id = :accountId and chat_id = any(:direct::uuid[])",
);

const DELETE_EMPTY_CHATS = plannedStatement(
  "delete-empty-chats",
  "delete from chats where account_id = :accountId and id = any(:direct::uuid[])",
);

const DELETE_SNAPSHOTS_WITH_CHATS = plannedStatement(
  "delete-snapshots-with-chats",
  "delete from simulator_snapshots where account_id = :accountId",
);

async function deleteEmpty(tx: Sql, { accountId }: Erasure, direct: readonly string[]): Promise<void> {
  await tx.run(DELETE_SEQUENCES_OF_CHATS, { accountId, direct });
  await tx.run(DELETE_EMPTY_CHATS, { accountId, direct });
  await tx.run(DELETE_SNAPSHOTS_WITH_CHATS, { accountId });
}
