import { messageChats } from "./row-counts.mjs";

/** The rows of a table are spread over this time before the newest one. */
export const SPAN_MS = 28 * 24 * 60 * 60 * 1000;
const UNHEALTHY = 50;
const FAILED = 200;
const MESSAGE_ID = idAt("9");

/**
 * The rows that fill an account, table by table. Each entry is `{ table, template, match, columns, ms }`: row number n
 * of the table is a copy of the template's row, which `match` selects if there are several, with other values in
 * `columns` (SQL). Its time is `ms` or evenly spread over the last 28 days: less than the retention period of any table.
 * Without a template, a row has only these columns. `last` has the sequences before the fill; `until` is in ms.
 */
export function fillTables({ accountId, lineId, subscriptionId, phone, counts, until, last }) {
  const account = `'${accountId}'::uuid`;
  const line = `'${lineId}'::uuid`;
  const chats = messageChats(counts);
  const chatOfMessage = `(1 + n % ${chats})`;
  const isFromMe = `((n / ${chats}) % 2 = 0)`;
  const eventsPerDelivery = Math.max(1, Math.floor(counts.events / Math.max(1, counts.webhook_deliveries)));
  const status = `(case when n % ${UNHEALTHY} = 0 then 'failed' else 'delivered' end)::webhook_delivery_status`;
  const inAccount = (table, where = "true") =>
    `select *, 0 as k from ${table} where account_id = ${account} and ${where} limit 1`;
  const times = { created_at: "made_at", updated_at: "made_at" };
  const traced = { trace_id: "lpad(to_hex(ms), 12, '0') || substr(md5(n::text), 1, 20)" };

  return [
    {
      table: "chats",
      template: inAccount("chats", `line_id = ${line} and recipient_handle = '${phone}'`),
      // The chats with messages come first in the list.
      ms: `case when n <= ${chats} then ${until} - (${chats} - n) * ${SPAN_MS / Math.max(1, counts.messages)}::float8
        else ${until} - ${SPAN_MS} - n * 1000 end`,
      columns: {
        ...times,
        id: chatId("n"),
        recipient_handle: handle("1556"),
        participants_key: handle("1556"),
        transport_ref: "null",
        read_up_to: "null",
        unanswered: "'{}'",
        health_due_at: "null",
        health_status: `(case when n % ${UNHEALTHY} = 0 then 'AT_RISK' else 'HEALTHY' end)::health_status`,
        health_updated_at: "made_at",
        last_activity_at: "made_at",
      },
    },
    {
      table: "participants",
      template: `select p.*, 0 as k from participants p join chats c on c.account_id = p.account_id and c.id = p.chat_id
        where c.account_id = ${account} and c.line_id = ${line} and c.recipient_handle = '${phone}'`,
      columns: {
        id: `case when t.is_me then ${participantId("8001", "n")} else ${participantId("8002", "n")} end`,
        chat_id: chatId("n"),
        handle: `case when t.is_me then t.handle else ${handle("1556")} end`,
        joined_at: "made_at",
      },
    },
    {
      table: "line_contacts",
      template: inAccount("line_contacts", `line_id = ${line} and handle = '${phone}'`),
      columns: { handle: handle("1556") },
    },
    {
      table: "simulator_phones",
      template: inAccount("simulator_phones", `handle = '${phone}'`),
      columns: { handle: handle("1556"), created_at: "made_at" },
    },
    {
      table: "messages",
      template: `select distinct on (k) m.* from (
          select *, case when not is_from_me then 1 when failed_at is null then 0 else 2 end as k from messages
          where account_id = ${account} and line_id = ${line} and kind = 'content' and parts->0->>'type' = 'text'
        ) m order by k, id desc`,
      match: `t.k = case when not ${isFromMe} then 1 when n % ${FAILED} = 0 then 2 else 0 end`,
      columns: {
        ...times,
        ...traced,
        id: MESSAGE_ID,
        position: `${last.position} + n`,
        chat_id: chatId(chatOfMessage),
        sender_id: `case when t.is_from_me then ${participantId("8001", chatOfMessage)}
          else ${participantId("8002", chatOfMessage)} end`,
        idempotency_key: "null",
        reply_to: "null",
        thread_id: "null",
        sent_at: "case when t.sent_at is not null then made_at end",
        delivered_at: "case when t.delivered_at is not null then made_at end",
        read_at: "case when t.read_at is not null then made_at end",
        failed_at: "case when t.failed_at is not null then made_at end",
      },
    },
    {
      table: "transport_refs",
      columns: { account_id: account, line_id: line, ref: "'filled-' || n", message_id: MESSAGE_ID },
    },
    {
      table: "events",
      template: `select distinct on (k) e.* from (
          select *, case type when 'message.sent' then 0 when 'message.received' then 1 when 'message.failed' then 2 end
            as k from events where account_id = ${account} and line_id = ${line} and not internal
        ) e where k is not null order by k, seq desc`,
      match: `t.k = case when not ${isFromMe} then 1 when n % ${FAILED} = 0 then 2 else 0 end`,
      columns: {
        ...traced,
        xact_id: "pg_current_xact_id()",
        seq: `${last.seq} + n`,
        id: idAt("e"),
        chat_id: chatId(chatOfMessage),
        message_id: MESSAGE_ID,
        created_at: "made_at",
      },
    },
    {
      table: "webhook_deliveries",
      template: inAccount(
        "webhook_deliveries",
        `subscription_id = '${subscriptionId}' and status = 'delivered'`,
      ),
      columns: {
        id: idAt("d"),
        event_seq: `${last.seq} + n * ${eventsPerDelivery}`,
        sequence: "n",
        status,
        created_at: "made_at",
        ended_at: "made_at",
      },
    },
    {
      table: "webhook_attempts",
      template: `select a.*, 0 as k from webhook_attempts a join webhook_deliveries d
          on d.account_id = a.account_id and d.id = a.delivery_id
        where d.account_id = ${account} and d.status = 'delivered' order by a.number desc limit 1`,
      columns: {
        delivery_id: idAt("d"),
        event_seq: `${last.seq} + n * ${eventsPerDelivery}`,
        started_at: "made_at",
        status_code: `case when n % ${UNHEALTHY} = 0 then 500 else 200 end`,
      },
    },
    {
      table: "webhook_attempt_counts",
      template: inAccount("webhook_attempt_counts", `subscription_id = '${subscriptionId}'`),
      columns: {
        hour: `date_trunc('hour', to_timestamp(${until} / 1000.0)) - n * interval '1 hour'`,
        count: "100",
        first_at: `date_trunc('hour', to_timestamp(${until} / 1000.0)) - n * interval '1 hour'`,
        last_at: `date_trunc('hour', to_timestamp(${until} / 1000.0)) - n * interval '1 hour'`,
      },
    },
    {
      table: "webhook_replays",
      columns: {
        account_id: account,
        id: idAt("f"),
        subscription_id: `'${subscriptionId}'`,
        selection: `'{"filter": {"statuses": [], "types": []}}'`,
        is_bulk: "true",
        total: "1",
        delivered: "1",
        per_second: "50",
        state: "'done'",
        created_at: "made_at",
        ended_at: "made_at",
        ...traced,
      },
    },
    {
      table: "api_requests",
      template: `select distinct on (k) r.* from (
          select *, case when status >= 400 then 1 when method = 'POST' and route like '%/messages' then 0
            when method = 'GET' then 2 end as k
          from api_requests where account_id = ${account}
        ) r where k is not null order by k, id desc`,
      match: "t.k = case when n % 20 = 0 then 1 when n % 2 = 0 then 0 else 2 end",
      columns: { ...traced, id: idAt("a"), chat_id: chatId(chatOfMessage), created_at: "made_at" },
    },
    {
      table: "attachments",
      template: inAccount("attachments", "status = 'complete'"),
      columns: {
        id: idAt("b"),
        filename: "'file-' || n || '.png'",
        created_at: "made_at",
        expires_at: "null",
      },
    },
    {
      table: "payment_requests",
      template: inAccount("payment_requests", "status = 'canceled'"),
      columns: {
        ...times,
        ...traced,
        id: idAt("c"),
        description: "'Order ' || n",
        idempotency_key: "null",
        payment_intent_id: "null",
        subscription_id: "null",
        session_hash: "sha256(('filled-' || n)::bytea)",
        check_at: "null",
      },
    },
    {
      table: "agent_payments",
      template: inAccount("agent_payments"),
      columns: {
        ...traced,
        id: idAt("1"),
        handle: handle("1560"),
        status: "(case when n % 2 = 0 then 'expired' else 'canceled' end)::agent_payment_status",
        awaits: "null",
        open_key: "null",
        idempotency_key: "null",
        card_ref: "null",
        ended_at: "made_at",
        moved_at: "made_at",
        created_at: "made_at",
      },
    },
    {
      table: "handle_connections",
      template: inAccount("handle_connections"),
      columns: { ...times, handle: handle("1560") },
    },
    {
      table: "opt_outs",
      template: inAccount("opt_outs"),
      columns: { id: idAt("2"), handle: handle("1558"), started_at: "made_at", ended_at: "null" },
    },
    {
      table: "opt_out_hints",
      template: inAccount("opt_out_hints"),
      columns: { id: idAt("3"), handle: handle("1559"), created_at: "made_at", decided_at: "null" },
    },
    {
      table: "audit_entries",
      template: inAccount("audit_entries", "object_type = 'account'"),
      columns: { ...traced, id: idAt("4"), created_at: "made_at" },
    },
    {
      table: "v2_chats",
      columns: {
        account_id: account,
        v2_chat_id: "n",
        chat_id: chatId(chatOfMessage),
        line_id: line,
        handles: "'{}'",
        imported_at: "made_at",
      },
    },
    {
      table: "contacts",
      template: inAccount("contacts", "blocked_at is not null"),
      columns: { handle: handle("1557"), blocked_at: "made_at" },
    },
    {
      table: "reputation_audits",
      template: inAccount("reputation_audits", "status = 'complete'"),
      columns: { id: idAt("5"), created_at: "made_at", generated_at: "made_at" },
    },
  ];
}

/** SQL for the time of row n in ms: the rows of a table are evenly spread, and the last one is at `until`. */
export function timeOfRow({ until, count }) {
  return `${until} - (${count} - n) * ${SPAN_MS / count}::float8`;
}

// A UUIDv7: 12 hex digits of the time, the version, the variant, a digit for the table and the number of the row.
function idAt(table) {
  return `(lpad(to_hex(ms), 12, '0') || '7000a${table.padStart(3, "0")}' || lpad(to_hex(n), 12, '0'))::uuid`;
}

/** SQL for the id of a chat, as in CHAT_PATH of create-tenant.mjs. */
function chatId(number) {
  return `('00000000-0000-7000-8000-' || lpad((${number})::text, 12, '0'))::uuid`;
}

function participantId(group, number) {
  return `('00000000-0000-7000-${group}-' || lpad((${number})::text, 12, '0'))::uuid`;
}

function handle(prefix) {
  return `('+${prefix}' || lpad(n::text, 7, '0'))`;
}
