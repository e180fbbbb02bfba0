import "server-only";

/**
 * The tables with the state of an account, which a reset empties and a snapshot contains: referenced tables before the
 * tables that refer to them. `account-tables.test.ts` fails for a table with an `account_id` in neither list.
 */
export const STATE_TABLES = [
  "chats",
  "participants",
  "messages",
  "transport_refs",
  "message_edits",
  "reactions",
  "polls",
  "poll_options",
  "poll_votes",
  "location_shares",
  "chat_actions",
  "attachment_uses",
  "contacts",
  "opt_outs",
  "opt_out_overrides",
  "opt_out_hints",
  "account_days",
  "reputation_audits",
  "line_contacts",
  "line_days",
  "contact_card_shares",
  "handle_capabilities",
  "capability_checks",
  "sender_choices",
  "v2_chats",
  "events",
  "webhook_routing_tokens",
  "webhook_replays",
  "webhook_deliveries",
  "webhook_attempts",
  "webhook_attempt_counts",
  "simulator_phones",
  "simulator_faults",
  "simulator_messages",
  "simulator_delayed_messages",
  "simulator_actions",
  "handle_connections",
  "agent_payments",
  "passkeys",
  "passkey_enrollments",
  "one_time_code_windows",
  "passkey_challenges",
  "servicecard_wallets",
  "servicecard_cards",
  "payment_requests",
  "payment_request_messages",
  "experience_cards",
  "sandbox_orders",
] as const;

/** A table with state of an account. */
export type StateTable = (typeof STATE_TABLES)[number];

/** The tables that a reset and a restored snapshot leave as they are, and the reason. */
export const KEPT_TABLES: Readonly<Record<string, string>> = {
  accounts: "settings",
  agent_pay_settings: "settings",
  api_requests: "a log",
  api_tokens: "tokens stay valid",
  app_clips: "settings",
  attachments: "files, whose bytes are not in the database",
  audit_entries: "a log",
  account_notices: "addressed to people, who have read them",
  card_provider_accounts: "settings",
  checkout_brandings: "settings",
  contact_cards: "settings",
  lines: "lines stay; their status is state, which LINE_STATE lists",
  processor_connections: "settings",
  simulator_accounts: "the seed and the last reset",
  simulator_lines: "settings of simulated lines",
  simulator_snapshot_tables: "snapshots",
  simulator_snapshots: "snapshots",
  stripe_issuing_accounts: "settings at Stripe",
  stripe_issuing_keys: "keys at Stripe",
  token_minutes: "counts of requests, which go on",
  webhook_sequences: "sequences never go back",
  webhook_subscriptions: "subscriptions stay",
};

/** The columns of `lines` that are state, with their value in a fresh sandbox as SQL. */
export const LINE_STATE = {
  status: "'ACTIVE'",
  reputation: "coalesce(pinned_reputation, 'HEALTHY')",
  flagged_by: "null",
  flagged_at: "null",
  evaluated_at: "null",
  chat_counts: "null",
  auto_flag_paused_until: "null",
  is_up: "true",
  picked_at: "null",
} as const;
