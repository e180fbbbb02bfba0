import "server-only";

/** The chats with the handle `$3`. */
const CHATS = "(select p.chat_id from participants p where p.account_id = $1 and p.handle = $3)";
const DIRECT = `(select c.id from chats c where c.account_id = $1 and not c.is_group and c.id in ${CHATS})`;
/** The handle `$3` as a participant. */
const SELF = "(select p.id from participants p where p.account_id = $1 and p.handle = $3)";
/** All messages of direct chats, and in groups those that the person wrote. */
const MESSAGES = `(select m.id from messages m where m.account_id = $1
  and (m.chat_id in ${DIRECT} or m.chat_id in ${CHATS} and m.sender_id in ${SELF}))`;
/** Messages of direct chats that wait for their time. */
const SCHEDULED = `(select s.id from scheduled_messages s where s.account_id = $1 and s.chat_id in ${DIRECT})`;
const OF_CHATS = `(select m.id from messages m where m.account_id = $1 and m.chat_id in ${CHATS})`;
const BY_PERSON = `t.message_id in ${OF_CHATS} and (t.message_id in ${MESSAGES} or t.participant_id in ${SELF})`;

const OF_HANDLE = "t.handle = $3";
const OF_MESSAGES = `t.message_id in ${MESSAGES}`;
const OF_DIRECT = `t.chat_id in ${DIRECT}`;

/** A table in an archive: one file with a JSON object for each row. */
export interface ExportedTable {
  table: string;
  /** The columns of the primary key after the account, with their types: the order of the file. */
  key: readonly (readonly [column: string, type: string])[];
  /** Secrets and the state of queues, which no archive contains. */
  hidden?: readonly string[];
  /** SQL: the row `t` is about the person with the handle `$3`. Without it, an archive of a person has no such file. */
  ofPerson?: string;
  /** SQL: the row `t` belongs to the account `$1`, if not by its `account_id`. */
  ofAccount?: string;
}

const ID = [["id", "uuid"]] as const;
const LEASE = ["lease_until"] as const;

/** The tables of an archive. `exported-tables.test.ts` fails for a table that is neither here nor in LEFT_OUT. */
export const EXPORTED_TABLES: readonly ExportedTable[] = [
  { table: "accounts", key: ID, hidden: ["handle_pepper"], ofAccount: "t.id = $1" },
  { table: "lines", key: ID, hidden: ["connection", "poll_cursor", "poll_lease_until"] },
  {
    table: "line_standbys",
    key: ID,
    hidden: ["connection", "poll_cursor"],
  },
  { table: "contact_cards", key: [["line_id", "uuid"]] },
  { table: "contacts", key: [["handle", "text"]], ofPerson: OF_HANDLE },
  { table: "chats", key: ID, ofPerson: `t.id in ${CHATS}` },
  { table: "participants", key: ID, ofPerson: `t.handle = $3 or ${OF_DIRECT}` },
  { table: "messages", key: ID, hidden: ["dispatch_lease_until"], ofPerson: `t.id in ${MESSAGES}` },
  { table: "scheduled_messages", key: ID, hidden: ["lease_until"], ofPerson: OF_DIRECT },
  { table: "message_edits", key: [["message_id", "uuid"], ...ID], ofPerson: OF_MESSAGES },
  {
    table: "reactions",
    key: [["message_id", "uuid"], ["part_index", "smallint"], ...ID],
    ofPerson: BY_PERSON,
  },
  { table: "polls", key: [["message_id", "uuid"]], ofPerson: OF_MESSAGES },
  { table: "poll_options", key: [["message_id", "uuid"], ...ID], ofPerson: BY_PERSON },
  {
    table: "poll_votes",
    key: [
      ["message_id", "uuid"],
      ["option_id", "uuid"],
      ["participant_id", "uuid"],
    ],
    ofPerson: BY_PERSON,
  },
  { table: "location_shares", key: [["line_id", "uuid"], ...ID], ofPerson: `${OF_HANDLE} or ${OF_DIRECT}` },
  {
    table: "attachments",
    key: ID,
    ofPerson: `t.id in (select u.attachment_id from attachment_uses u where u.account_id = $1 and (u.message_id in ${MESSAGES} or u.message_id in ${SCHEDULED}))`,
  },
  {
    table: "attachment_uses",
    key: [
      ["attachment_id", "uuid"],
      ["message_id", "uuid"],
    ],
    ofPerson: `${OF_MESSAGES} or t.message_id in ${SCHEDULED}`,
  },
  { table: "chat_team_entries", key: ID, ofPerson: OF_DIRECT },
  { table: "opt_outs", key: ID, ofPerson: OF_HANDLE },
  { table: "opt_out_overrides", key: [["message_id", "uuid"]], ofPerson: OF_HANDLE },
  { table: "opt_out_hints", key: ID, ofPerson: OF_HANDLE },
  {
    table: "line_contacts",
    key: [
      ["line_id", "uuid"],
      ["handle", "text"],
    ],
    ofPerson: OF_HANDLE,
  },
  {
    table: "contact_card_shares",
    key: [
      ["line_id", "uuid"],
      ["handle", "text"],
    ],
    ofPerson: OF_HANDLE,
  },
  {
    table: "handle_capabilities",
    key: [
      ["handle", "text"],
      ["service", "service_type"],
    ],
    ofPerson: OF_HANDLE,
  },
  { table: "sender_choices", key: [["message_id", "uuid"]], ofPerson: OF_MESSAGES },
  {
    table: "payment_requests",
    key: ID,
    hidden: ["session_hash", "session_sealed"],
    ofPerson: `t.payer_handle = $3 or t.id in (
      select s.payment_request_id from payment_request_messages s where s.account_id = $1 and s.chat_id in ${DIRECT})`,
  },
  {
    table: "payment_request_messages",
    key: [
      ["payment_request_id", "uuid"],
      ["chat_id", "uuid"],
    ],
    ofPerson: OF_DIRECT,
  },
  {
    table: "payment_reversals",
    key: [
      ["payment_request_id", "uuid"],
      ["id", "text"],
    ],
    ofPerson: `t.payment_request_id in (
      select p.id from payment_requests p where p.account_id = $1 and p.payer_handle = $3)`,
  },
  { table: "agent_payments", key: ID, ofPerson: OF_HANDLE },
  {
    table: "handle_connections",
    key: [
      ["provider", "text"],
      ["handle", "text"],
    ],
    hidden: ["code_hash", "verification_id"],
    ofPerson: OF_HANDLE,
  },
  { table: "passkeys", key: [["id", "text"]], hidden: ["public_key"], ofPerson: OF_HANDLE },
  {
    table: "set_aside_events",
    key: [["line_id", "uuid"], ...ID],
    hidden: ["digest", "payload"],
    ofPerson: "$3 = any(t.handles)",
  },
  { table: "v2_chats", key: [["v2_chat_id", "bigint"]], ofPerson: "t.handles @> array[$3]" },
  {
    table: "audit_entries",
    key: ID,
    ofPerson: `t.object_id = $3 or t.object_id in (select c.id::text from chats c where c.account_id = $1 and c.id in ${DIRECT})`,
  },
  { table: "account_notices", key: ID },
  { table: "agent_pay_settings", key: [] },
  { table: "app_clips", key: ID },
  { table: "canned_replies", key: ID },
  { table: "teams", key: ID },
  {
    table: "team_members",
    key: [
      ["team_id", "uuid"],
      ["user_id", "uuid"],
    ],
  },
  { table: "card_provider_accounts", key: [["provider", "text"]], hidden: ["session_id"] },
  { table: "checkout_brandings", key: [] },
  { table: "experience_cards", key: [["message_id", "uuid"]] },
  {
    table: "line_days",
    key: [
      ["day", "date"],
      ["line_id", "uuid"],
    ],
  },
  {
    table: "account_hours",
    key: [
      ["hour", "timestamptz"],
      ["metric", "text"],
      ["latency_step", "smallint"],
    ],
  },
  {
    table: "line_activity",
    key: [
      ["line_id", "uuid"],
      ["minutes", "smallint"],
      ["at", "timestamptz"],
      ["metric", "text"],
      ["latency_step", "smallint"],
    ],
  },
  { table: "person_erasures", key: ID, hidden: ["handle_hash", "cursor", ...LEASE] },
  { table: "processor_connections", key: [] },
  { table: "reputation_audits", key: ID, hidden: LEASE },
  { table: "simulator_phones", key: [["handle", "text"]], ofPerson: OF_HANDLE },
  { table: "simulator_lines", key: [["line_id", "uuid"]] },
  { table: "api_tokens", key: ID, hidden: ["hash"] },
  { table: "webhook_subscriptions", key: ID, hidden: ["signing_secret", "previous_secret"] },
  { table: "event_consumers", key: [["name", "text"]], hidden: ["lease"] },
  { table: "webhook_replays", key: ID },
  { table: "events", key: [["seq", "bigint"]], hidden: ["xact_id"] },
  { table: "webhook_deliveries", key: ID, hidden: LEASE },
  {
    table: "webhook_attempts",
    key: [
      ["event_seq", "bigint"],
      ["delivery_id", "uuid"],
      ["number", "int"],
    ],
  },
  { table: "api_requests", key: ID },
];

/** The tables of an account that no archive contains, and the reason. */
export const LEFT_OUT: Readonly<Record<string, string>> = {
  account_days: "counts of the last week",
  attachment_totals: "totals of the files in the archive",
  awaited_files: "files that are still fetched",
  capability_checks: "the time of the last check",
  chat_actions: "a queue",
  chat_turn_messages: "which events contain the messages in the archive",
  chat_turns: "turns that are still open",
  erased_handles: "keyed hashes, which say nothing without the key",
  message_search: "the words of the messages in the archive",
  message_search_progress: "the state of a job",
  message_search_segments: "ranges of the words of messages",
  notice_dismissals: "which person of the team dismissed a notice",
  one_time_code_windows: "the count of a limit",
  passkey_challenges: "secrets of a few minutes",
  passkey_enrollments: "secrets of a few minutes",
  sandbox_orders: "the books of the sandbox processor",
  servicecard_cards: "the books of the sandbox card provider",
  servicecard_wallets: "the books of the sandbox card provider",
  session_leases: "worker processes",
  simulator_accounts: "the state of a test",
  simulator_actions: "the simulated network's own copy",
  simulator_delayed_messages: "the simulated network's own copy",
  simulator_faults: "the state of a test",
  simulator_messages: "the simulated network's own copy",
  simulator_snapshot_tables: "copies for tests",
  simulator_snapshots: "copies for tests",
  sms_part_sets: "parts of texts that are not whole yet",
  stripe_issuing_accounts: "ids at Stripe",
  stripe_issuing_keys: "ids at Stripe",
  token_minutes: "counts of a limit",
  transport_refs: "ids at vendors",
  webhook_attempt_counts: "counts of the attempts in the archive",
  webhook_routing_tokens: "opaque texts of receivers",
  webhook_sequences: "the last number of deliveries in the archive",
};

/** The tables that an archive of a person leaves out although the archive of the account contains them. */
export const COPIES: readonly string[] = ["api_requests", "events", "webhook_attempts", "webhook_deliveries"];
