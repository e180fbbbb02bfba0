const SMALL = 10_000;
const PER_CHAT = 100;
const PHONES = 1000;
const HOURS = 28 * 24;

/**
 * The number of rows that the fill adds to each table, for an account with this number of messages. A chat has 100
 * messages.
 */
export function rowCounts(messages) {
  const share = (part) => Math.max(1, Math.round(messages / part));
  return {
    chats: share(PER_CHAT),
    participants: share(PER_CHAT),
    line_contacts: share(PER_CHAT),
    simulator_phones: Math.min(PHONES, share(PER_CHAT)),
    messages,
    transport_refs: messages,
    events: messages,
    webhook_deliveries: share(10),
    webhook_attempts: share(10),
    webhook_attempt_counts: HOURS,
    webhook_replays: share(1000),
    api_requests: share(10),
    attachments: share(100),
    payment_requests: share(100),
    agent_payments: share(100),
    handle_connections: share(100),
    opt_outs: share(100),
    opt_out_hints: share(100),
    audit_entries: share(100),
    v2_chats: share(100),
    contacts: share(1000),
    reputation_audits: share(1000),
  };
}

/** The counts of the account that a large one is compared with: at most 10,000 rows of each table. */
export function smallCounts(counts) {
  return mapCounts(counts, (count) => Math.min(SMALL, count));
}

/** The counts of an account that has as many chats and phones to send to, and nothing else. */
export function emptyCounts(counts) {
  const needed = new Set(["chats", "participants", "line_contacts", "simulator_phones"]);
  return Object.fromEntries(
    Object.keys(counts).map((table) => [table, needed.has(table) ? counts[table] : 0]),
  );
}

/** The number of chats with messages. */
export function messageChats({ messages }) {
  return Math.max(1, Math.round(messages / PER_CHAT));
}

function mapCounts(counts, change) {
  return Object.fromEntries(Object.entries(counts).map(([table, count]) => [table, change(count)]));
}
