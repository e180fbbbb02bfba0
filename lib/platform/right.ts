import "server-only";

/**
 * What a contract may demand of a person who is signed in to the dashboard. The role table (`lib/platform/role-rights.ts`)
 * says which roles have which. `signed_in` is every role's.
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
  | "dismiss_notices"
  | "manage_account"
  | "manage_attachments"
  | "manage_blocks"
  | "manage_lines"
  | "manage_payments"
  | "manage_people"
  | "manage_spending"
  | "manage_tokens"
  | "manage_webhooks"
  | "request_payments"
  | "assign_lines"
  | "flag_lines";

/** Whatever names the right it needs: a contract, or a piece of a page. */
export interface Guarded {
  right: Right;
}
