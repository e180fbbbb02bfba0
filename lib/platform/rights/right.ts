import "server-only";

/**
 * The rights that a contract can require of a signed-in person. The role table (`lib/platform/rights/role-rights.ts`)
 * assigns them to roles. Every role has `signed_in`.
 */
export type Right =
  | "signed_in"
  | "view_account"
  | "view_history"
  | "view_lines"
  | "view_chats"
  | "view_opt_outs"
  | "view_payments"
  | "view_payment_payloads"
  | "view_events"
  | "view_requests"
  | "view_request_bodies"
  | "view_webhooks"
  | "view_tokens"
  | "send_messages"
  | "decide_opt_outs"
  | "manage_account"
  | "manage_accounts"
  | "manage_attachments"
  | "manage_blocks"
  | "manage_lines"
  | "manage_payments"
  | "manage_people"
  | "manage_personal_data"
  | "manage_spending"
  | "manage_tokens"
  | "manage_webhooks"
  | "release_lines"
  | "request_payments"
  | "add_simulated_lines"
  | "assign_lines"
  | "connect_lines"
  | "flag_lines"
  | "view_instance"
  | "operate_instance";

/** Anything that requires a right: a contract, or a part of a page. */
export interface Guarded {
  right: Right;
}
