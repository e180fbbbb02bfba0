import { residentBytes } from "../../instance/process-memory.mjs";

const UUID = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;

const QUERIES = {
  messages: `select account_id as "accountId", id, chat_id as "chatId", parts -> 0 ->> 'value' as text,
      is_from_me as "isFromMe", delivery_status as status, failure_code as "failureCode"
    from messages`,
  copies: `select account_id as "accountId", handle, sender, parts -> 0 ->> 'value' as text from simulator_messages`,
  events: `select account_id as "accountId", seq::int, id, type, internal, message_id as "messageId",
      chat_id as "chatId", data ->> 'id' as "dataId"
    from events order by seq`,
  deliveries: `select d.account_id as "accountId", d.subscription_id as "subscriptionId", e.id as "eventId",
      e.chat_id as "chatId", d.sequence::int, d.status, d.replay_id is not null as "isReplay"
    from webhook_deliveries d join events e on e.account_id = d.account_id and e.seq = d.event_seq`,
  subscriptions: `select account_id as "accountId", id, subscribed_events as types from webhook_subscriptions`,
  payments: `select p.account_id as "accountId", p.id, p.status, coalesce(o.status = 'paid', false) as "isPaid"
    from payment_requests p left join sandbox_orders o on o.account_id = p.account_id and o.key = p.id::text`,
};
const IN_ONE_SNAPSHOT = `select ${Object.entries(QUERIES)
  .map(([name, text]) => `(select coalesce(json_agg(r), '[]') from (${text}) r) as "${name}"`)
  .join(", ")}`;

/**
 * Reads what the world looks like: the rows of the database in one snapshot, the phones of the SMS center, what the
 * receivers and streams got, the memory of the processes, and the history. `isEnd`: all work has ended, with what `drain`
 * returned. The record is plain data.
 */
export async function readRecord(world, { isEnd, pending = [], drainSeconds = null }) {
  const { partners, history } = world;
  // What was answered and received before the snapshot is in it.
  const before = readOutside(world);
  const [rows] = await world.cluster.query(IN_ONE_SNAPSHOT);
  const own = new Set(partners.map(({ accountId }) => accountId));
  const ofWorld = Object.fromEntries(
    Object.entries(rows).map(([name, all]) => [name, all.filter(({ accountId }) => own.has(accountId))]),
  );
  return {
    ...ofWorld,
    ...before,
    ...{ isEnd, pending, drainSeconds },
    smppAccount: partners.at(-1).accountId,
    askedTexts: [...history.sends, ...history.scheduled.flatMap(textsAsked)].map(({ accountId, text }) => ({
      accountId,
      text,
    })),
    memory: [...world.processes.webs, ...world.processes.workers].map(({ pid }) => ({
      bytes: residentBytes(pid),
    })),
  };
}

function readOutside({ partners, history, smsc }) {
  const isAnswered = ({ answeredAt }) => answeredAt != null;
  return {
    sends: history.sends.filter(isAnswered).map((send) => ({ ...send })),
    scheduled: history.scheduled
      .filter(({ asks }) => asks.length > 0)
      .map((one) => ({ ...one, asks: one.asks.map((ask) => ({ ...ask })) })),
    ticks: [...history.ticks],
    left: [...history.left],
    texts: history.texts.map((text) => ({ ...text })),
    vendorMessages: smsc.messages().map(({ to, text }) => ({ handle: to, text })),
    answers: history.requests.filter(isAnswered).map((asked) => toAnswer(asked, partners)),
    received: partners.flatMap(({ accountId, receivers }) =>
      receivers.flatMap(({ id, state }) =>
        state.requests.map((one) => ({ ...one, accountId, subscriptionId: id })),
      ),
    ),
    streams: partners.map(({ accountId, stream }) => ({ accountId, frames: [...stream.frames] })),
  };
}

function textsAsked({ accountId, asks }) {
  return asks.flatMap(({ text }) => (text === null ? [] : [{ accountId, text }]));
}

/** The answer to a request, with the ids that it contains. */
function toAnswer({ partner, operation, status, body, isForeign = false }, partners) {
  const { accountId } = partners[partner];
  const ids = status === null || status >= 300 ? [] : [...new Set(JSON.stringify(body).match(UUID) ?? [])];
  return { accountId, operation, status, isForeign, ids };
}
