import { messageChats } from "./row-counts.mjs";

/**
 * The values of path parameters in a filled database: the newest rows of the large tables, and the demo's only rows of
 * the others.
 */
export async function readParams(database, { demo, counts }) {
  const number = String(messageChats(counts)).padStart(12, "0");
  const chatId = `00000000-0000-7000-8000-${number}`;
  const [newest] = await database.query(
    `select
       (select id from messages where account_id = $1 and chat_id = $2 order by position desc limit 1) as "messageId",
       (select seq from events where account_id = $1 and not internal order by seq desc limit 1)::text as seq,
       (select id from webhook_deliveries where account_id = $1 and subscription_id = $3
        order by created_at desc, id desc limit 1) as "deliveryId",
       (select id from webhook_replays where account_id = $1 order by id desc limit 1) as "replayId",
       (select id from api_requests where account_id = $1 order by id desc limit 1) as "requestId"`,
    [demo.accountId, chatId, demo.subscriptionId],
  );
  return {
    ...demo.params,
    ...newest,
    chatId,
    subscriptionId: demo.subscriptionId,
    lineId: demo.lineId,
    phoneNumber: demo.line,
    auditId: demo.auditId,
    provider: "servicecard",
  };
}
