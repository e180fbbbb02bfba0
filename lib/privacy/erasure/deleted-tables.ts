import "server-only";

/** Tables whose rows are deleted with the handle in their column `handle`, when the person's chats are closed. */
export const HANDLE_TABLES = [
  "chat_turns",
  "contact_card_shares",
  "contacts",
  "handle_capabilities",
  "handle_connections",
  "line_contacts",
  "location_shares",
  "opt_out_hints",
  "opt_out_overrides",
  "passkey_enrollments",
  "passkeys",
  "servicecard_wallets",
  "simulator_messages",
  "simulator_phones",
  "sms_part_sets",
] as const;

/** Tables whose rows are deleted with the direct chat in their column `chat_id`, early. */
export const CHAT_TABLES = [
  "chat_actions",
  "chat_team_entries",
  "chat_turns",
  "location_shares",
  "opt_out_hints",
  "opt_out_overrides",
  "scheduled_messages",
  "webhook_routing_tokens",
] as const;

/**
 * Tables whose rows are deleted with the messages of a direct chat, after everything that was in flight has ended:
 * until then a deleted message keeps its content out of the logs, and a repeated report from being stored again.
 */
export const MESSAGE_TABLES = [
  "attachment_uses",
  "awaited_files",
  "chat_turn_messages",
  "experience_cards",
  "message_edits",
  "message_search",
  "payment_request_messages",
  "poll_options",
  "poll_votes",
  "polls",
  "reactions",
  "sender_choices",
  "transport_refs",
] as const;

/** Tables that are emptied of everything a person may be in by other statements of an erasure. */
export const OTHER_DELETED_TABLES = [
  "passkey_challenges",
  "set_aside_events",
  "simulator_delayed_messages",
  "simulator_snapshot_tables",
  "simulator_snapshots",
  "v2_chats",
] as const;
