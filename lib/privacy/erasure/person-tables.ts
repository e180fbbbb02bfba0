import "server-only";

/** A table whose rows stay. Each of its columns of text, JSON or bytes is in one of the lists. */
interface KeptTable {
  /** Why the rows stay, or how they are changed. */
  why: string;
  /** Emptied or replaced in the rows about the person. */
  emptied?: readonly string[];
  /** Searched for the handle in the whole account: each mention is replaced. */
  searched?: readonly string[];
  /** Says nothing about a person. */
  neutral?: readonly string[];
}

/** The columns of `payment_requests` that an erasure sets to null in one statement (end-payments.ts). */
export const EMPTIED_IN_PAYMENT_REQUESTS = [
  "description",
  "image_url",
  "metadata",
  "items",
  "receipt_email",
  "idempotency_key",
  "success_url",
  "return_url",
  "cancel_url",
] as const;

/** The treatment of tables whose rows stay. `person-tables.test.ts` fails for a column in no list. */
export const KEPT_TABLES: Readonly<Record<string, KeptTable>> = {
  account_days: { why: "counts" },
  account_hours: { why: "counts", neutral: ["metric"] },
  account_notices: { why: "addressed to the team", searched: ["title", "body", "link"], neutral: ["kind"] },
  accounts: {
    why: "settings",
    neutral: ["name", "color", "default_webhook_version", "handle_pepper", "quiet_hours"],
  },
  agent_pay_settings: { why: "settings", neutral: ["merchant_allow_list", "currency_limits"] },
  agent_payments: {
    why: "accounting: amount, merchant and the references of the card provider stay, without the person",
    emptied: ["handle", "description", "metadata", "idempotency_key", "open_key"],
    searched: ["merchant_name", "merchant_url"],
    neutral: ["currency", "provider", "card_ref", "trace_id", "awaits", "charge_ref"],
  },
  api_requests: {
    why: "the log of requests: bodies about the person are emptied",
    emptied: ["request_body", "response_body"],
    searched: ["path", "headers", "user_agent", "line"],
    neutral: ["method", "route", "trace_id", "address"],
  },
  api_tokens: {
    why: "credentials of programs",
    neutral: ["name", "hash", "prefix", "last_four", "allowed_addresses", "last_used_from", "scopes"],
  },
  app_clips: { why: "settings", neutral: ["name", "url_prefix"] },
  attachment_totals: { why: "counts" },
  attachments: {
    why: "files that only the person's messages show are deleted with their bytes",
    searched: ["filename"],
    neutral: ["content_type", "fault"],
  },
  audit_entries: {
    why: "who did what stays; the details about the person are emptied",
    emptied: ["detail"],
    searched: ["object_id", "detail"],
    neutral: ["actor_type", "action", "object_type", "trace_id", "address"],
  },
  canned_replies: { why: "the account's own texts", neutral: ["title", "body"] },
  capability_checks: { why: "a time" },
  card_provider_accounts: { why: "settings", neutral: ["provider", "return_url"] },
  chat_actions: { why: "of groups", searched: ["payload"], neutral: ["kind", "trace_id"] },
  chat_team_entries: { why: "notes in chats with others", searched: ["body"] },
  chats: {
    why: "groups stay for their other members; direct chats are deleted",
    emptied: ["recipient_handle", "participants_key"],
    searched: ["display_name"],
    neutral: ["transport_ref", "group_icon"],
  },
  checkout_brandings: { why: "settings", neutral: ["slug", "name", "color", "logo_url"] },
  contact_cards: { why: "of the account's lines", neutral: ["first_name", "last_name"] },
  erased_handles: {
    why: "an opted-out or blocked person stays so, under a keyed hash",
    neutral: ["hash", "opt_out_keyword"],
  },
  events: {
    why: "an event of the person stays as a number, without content, so that the log has no gaps",
    emptied: ["type", "data"],
    searched: ["data"],
    neutral: ["trace_id"],
  },
  group_roles: { why: "people of the team", neutral: ["group_name"] },
  instance_backups: { why: "the operator's", neutral: ["folder", "database"] },
  instance_processes: {
    why: "the operator's",
    neutral: ["role", "host", "version", "node_version", "pools", "disk_folder"],
  },
  invitations: { why: "people of the team", neutral: ["email", "name", "token_hash"] },
  key_canaries: { why: "the operator's", neutral: ["key_id", "sealed"] },
  line_activity: { why: "counts", neutral: ["metric"] },
  line_days: { why: "counts" },
  line_standbys: { why: "of the account's lines", neutral: ["transport", "connection", "poll_cursor"] },
  lines: {
    why: "the account's own numbers",
    neutral: [
      "phone_number",
      "label",
      "transport",
      "forwarding_number",
      "connection",
      "poll_cursor",
      "chat_counts",
      "down_reason",
      "upstream_lines",
    ],
  },
  memberships: { why: "people of the team" },
  message_search_progress: { why: "positions in the logs of an account" },
  message_search_segments: { why: "ranges of positions", neutral: ["key"] },
  messages: {
    why: "those of direct chats are deleted, the person's in groups emptied; what others wrote is theirs",
    emptied: ["parts", "effect", "reply_to", "idempotency_key"],
    neutral: ["trace_id", "failure_reason"],
  },
  notice_dismissals: { why: "of notices" },
  one_time_code_windows: { why: "counts" },
  operator_alerts: {
    why: "the operator's: about lines, endpoints and queues",
    neutral: ["key", "type", "severity", "title", "body", "path", "account_name", "environment"],
  },
  operator_notifications: { why: "the operator's", neutral: ["type", "last_error"] },
  operator_watch: { why: "the operator's" },
  opt_outs: {
    why: "the evidence that a person opted out stays, under the erasure's id instead of the handle",
    emptied: ["handle"],
    neutral: ["keyword", "actor_type", "end_actor_type", "source_file"],
  },
  outgoing_mails: { why: "addressed to the team", neutral: ["type", "recipient", "sealed", "last_error"] },
  participants: { why: "a group keeps a member without a handle", emptied: ["handle"] },
  partners: { why: "settings", neutral: ["name"] },
  payment_requests: {
    why: "accounting: amounts and the processor's references stay, without the person",
    emptied: ["payer_handle", "customer_id", ...EMPTIED_IN_PAYMENT_REQUESTS],
    neutral: [
      "currency",
      "from_number",
      "price_id",
      "interval",
      "discount",
      "processor",
      "merchant_id",
      "payment_intent_id",
      "subscription_id",
      "secondary_request_id",
      "secondary_transaction_id",
      "session_hash",
      "session_sealed",
      "trace_id",
      "locale",
    ],
  },
  payment_reversals: {
    why: "accounting: ids and amounts at the processor",
    neutral: ["id", "type", "status", "currency", "reason"],
  },
  person_erasures: {
    why: "the report of the erasure: the handle is emptied at its end",
    emptied: ["handle"],
    neutral: ["handle_hash", "actor_type", "trace_id", "step", "cursor", "counts"],
  },
  platform_clock: { why: "the instance's" },
  processor_connections: { why: "settings", neutral: ["processor", "merchant_id"] },
  processor_events: { why: "ids at the processor", neutral: ["processor", "event_id"] },
  reputation_audits: { why: "reports about lines", searched: ["report"], neutral: ["error"] },
  sandbox_orders: {
    why: "simulates the processor's own books",
    emptied: ["metadata", "customer_id"],
    neutral: ["id", "key", "currency", "card", "transaction_id"],
  },
  scheduled_messages: {
    why: "the account's messages to groups",
    searched: ["content", "parts"],
    neutral: ["idempotency_key", "actor_type", "trace_id", "quiet_choice"],
  },
  schedules: { why: "recurring jobs", neutral: ["name"] },
  servicecard_cards: {
    why: "simulates the card provider's own books",
    neutral: ["card_ref", "currency", "card", "number_tag"],
  },
  session_leases: { why: "worker processes" },
  sessions: {
    why: "people of the team",
    neutral: ["token_hash", "method", "address", "user_agent", "notice"],
  },
  sign_in_links: { why: "people of the team", neutral: ["token_hash"] },
  sign_in_throttles: { why: "people of the team", neutral: ["key"] },
  simulator_accounts: { why: "settings", neutral: ["seed"] },
  simulator_actions: {
    why: "what other simulated phones received",
    emptied: ["handles"],
    searched: ["action"],
    neutral: ["group_ref"],
  },
  simulator_faults: { why: "settings of a test", searched: ["match", "effect", "condition"] },
  simulator_lines: { why: "settings", neutral: ["contact_card"] },
  simulator_messages: {
    why: "what other simulated phones received",
    emptied: ["parts", "effect"],
    searched: ["sender"],
    neutral: ["handle", "ref", "group_ref", "pending_receipt"],
  },
  sso_sessions: { why: "people of the team", neutral: ["subject", "sid", "refresh_token"] },
  stripe_issuing_accounts: { why: "settings", neutral: ["merchant_id", "cardholder_id", "missing"] },
  stripe_issuing_keys: { why: "ids at Stripe", neutral: ["card_ref", "key_id"] },
  team_members: { why: "people of the team" },
  teams: { why: "the account's own names", neutral: ["name", "name_key"] },
  token_minutes: { why: "counts" },
  used_passkey_challenges: { why: "people of the team", neutral: ["challenge_hash"] },
  user_identities: { why: "people of the team", neutral: ["issuer", "subject"] },
  user_passkeys: { why: "people of the team", neutral: ["id", "name", "public_key", "transports"] },
  users: { why: "people of the team", neutral: ["email", "name", "password_hash"] },
  event_consumers: {
    why: "settings, and positions in the log",
    neutral: ["name", "types", "phone_numbers", "version", "start"],
  },
  webhook_attempt_counts: { why: "counts", neutral: ["outcome"] },
  webhook_attempts: {
    why: "those of the person's events are deleted; a response to another event may mention the handle",
    searched: ["response_body", "request", "response_headers"],
    neutral: ["error"],
  },
  webhook_deliveries: { why: "those of the person's events are deleted" },
  webhook_replays: { why: "may name the handle", searched: ["selection"], neutral: ["reason", "trace_id"] },
  webhook_sequences: { why: "counts" },
  webhook_subscriptions: {
    why: "settings",
    neutral: [
      "name",
      "target_url",
      "subscribed_events",
      "phone_numbers",
      "version",
      "signing_secret",
      "previous_secret",
      "routing_id_header",
      "routing_key_header",
    ],
  },
};
