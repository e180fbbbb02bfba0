import "server-only";

/**
 * Every error of the API (docs/contract.md, section 3.1). `retry` overrides the official clients' own rule, which
 * retries every 409, 429 and 5xx: a permanent 409 and an outcome that must not be repeated have `never`.
 */
export const ERRORS = {
  field_missing: { code: 1001, status: 400, message: "Missing required field" },
  phone_not_e164: { code: 1002, status: 400, message: "Phone number must be in E.164 format" },
  body_invalid: { code: 1003, status: 400, message: "Invalid request body" },
  route_unknown: { code: 1003, status: 404, message: "No such endpoint" },
  method_not_allowed: { code: 1003, status: 405, message: "Method not allowed" },
  body_too_slow: { code: 1003, status: 408, message: "The request body did not arrive in time" },
  body_encoded: { code: 1003, status: 415, message: "Content-Encoding not supported" },
  upgrade_required: { code: 1003, status: 426, message: "WebSocket upgrade required" },
  expectation_failed: { code: 1003, status: 417, message: "Expectation not supported" },
  content_invalid: { code: 1004, status: 400, message: "Invalid message content" },
  parameter_invalid: { code: 1005, status: 400, message: "Invalid parameter value" },
  name_unknown: { code: 1005, status: 404, message: "Not found" },
  direct_chat: { code: 1006, status: 409, message: "Cannot update direct message chats", retry: "never" },
  rate_limited: { code: 1007, status: 429, message: "Rate limit exceeded" },
  app_message_invalid: { code: 1008, status: 400, message: "Invalid iMessage app message" },
  app_clip_invalid: { code: 1009, status: 400, message: "Not a checkout or app clip link: use a link part" },
  chat_not_found: { code: 2001, status: 404, message: "Chat not found" },
  message_not_found: { code: 2002, status: 404, message: "Message not found" },
  attachment_not_found: { code: 2003, status: 404, message: "Attachment not found" },
  unauthorized: { code: 2004, status: 401, message: "Unauthorized: missing or invalid authentication token" },
  access_denied: { code: 2005, status: 403, message: "Access denied" },
  proof_required: { code: 2005, status: 403, message: "Confirm your identity, then try again" },
  sender_changed: {
    code: 2005,
    status: 409,
    message: "Another user or account is signed in",
    retry: "never",
  },
  line_not_permitted: { code: 2006, status: 403, message: "Phone number permission denied" },
  attachment_not_ready: { code: 2007, status: 404, message: "Attachment not ready" },
  recipient_not_allowed: {
    code: 2008,
    status: 403,
    message: "Recipient not allowed: in a sandbox, the recipient must message the line first",
  },
  chat_being_created: { code: 2009, status: 409, message: "The chat is still being created", retry: "later" },
  subscription_not_found: { code: 2010, status: 404, message: "Webhook subscription not found" },
  feature_not_available: { code: 2011, status: 403, message: "Feature not available" },
  locations_not_available: {
    code: 2011,
    status: 403,
    message: "Location features are not available for your account",
  },
  contact_card_not_found: { code: 2012, status: 404, message: "Contact card not found" },
  chat_unavailable: { code: 2013, status: 409, message: "This chat is unavailable", retry: "never" },
  contact_card_exists: {
    code: 2014,
    status: 409,
    message: "A contact card already exists for this phone number",
    retry: "never",
  },
  state_conflict: {
    code: 2015,
    status: 409,
    message: "Operation conflicts with current state",
    retry: "never",
  },
  not_in_groups: {
    code: 2016,
    status: 409,
    message: "Operation not supported in group chats",
    retry: "never",
  },
  service_not_supported: {
    code: 2017,
    status: 409,
    message: "Operation not supported on this chat's service type",
    retry: "never",
  },
  app_message_needs_imessage: {
    code: 2018,
    status: 409,
    message: "iMessage app messages can only be sent over iMessage",
    retry: "never",
  },
  line_not_found: { code: 2019, status: 404, message: "Phone number not found" },
  audit_not_found: { code: 2020, status: 404, message: "Reputation audit not found" },
  payment_request_not_found: { code: 2021, status: 404, message: "Payment request not found" },
  contact_card_failed: { code: 2022, status: 500, message: "Contact card setup failed" },
  group_required: { code: 2023, status: 409, message: "Operation requires a group chat", retry: "never" },
  opted_out: { code: 2024, status: 403, message: "The recipient asked to stop being messaged" },
  blocked_handle_not_found: { code: 2025, status: 404, message: "Blocked handle not found" },
  recipient_blocked: { code: 2026, status: 403, message: "The recipient is blocked" },
  line_restricted: {
    code: 2027,
    status: 403,
    message: "The sender line is restricted by its reputation: send from another line",
  },
  app_clip_needs_imessage: {
    code: 2028,
    status: 409,
    message: "App clip payment cards can only be sent over iMessage",
    retry: "never",
  },
  sticker_needs_imessage: {
    code: 2029,
    status: 409,
    message: "Stickers can only be sent over iMessage",
    retry: "never",
  },
  location_share_not_found: { code: 2031, status: 404, message: "No active location share for this chat" },
  events_expired: { code: 2032, status: 410, message: "The log no longer has these events" },
  consumer_leased: { code: 2033, status: 409, message: "The consumer has a lease", retry: "later" },
  consumer_not_found: { code: 2034, status: 404, message: "Consumer not found" },
  quiet_hours: { code: 2035, status: 409, message: "It is quiet hours for a recipient", retry: "never" },
  server_connection: { code: 3001, status: 500, message: "Server connection error" },
  server_operation: { code: 3002, status: 500, message: "Server operation failed" },
  service_connection: { code: 3003, status: 500, message: "Service connection error" },
  service_operation: { code: 3004, status: 500, message: "Service operation failed" },
  network_timeout: { code: 3005, status: 504, message: "Network timeout" },
  internal: { code: 3006, status: 500, message: "Internal server error" },
  attempts_exhausted: {
    code: 3007,
    status: 500,
    message: "Maximum delivery attempts exceeded",
    retry: "never",
  },
  delivery_failed: { code: 4001, status: 500, message: "Delivery failed" },
  line_down: { code: 4002, status: 500, message: "Phone not available" },
  webhook_failed: { code: 4003, status: 500, message: "Webhook delivery failed" },
  service_unavailable: {
    code: 4004,
    status: 503,
    message: "Service unavailable",
    retry: "later",
    retryAfterSeconds: 30,
  },
  outcome_unknown: {
    code: 4004,
    status: 503,
    message: "Service unavailable: the outcome of this request is unknown",
    retry: "never",
    retryAfterSeconds: 30,
  },
  type_not_supported: { code: 4005, status: 422, message: "Recipient does not support this message type" },
  send_timed_out: {
    code: 4006,
    status: 500,
    message: "The send timed out: its outcome is unknown",
    retry: "never",
  },
  send_failed: { code: 4007, status: 500, message: "The messaging service reported a send failure" },
  sender_not_eligible: {
    code: 4008,
    status: 403,
    message: "The sender is not eligible to send this message",
  },
  rcs_account_missing: {
    code: 4009,
    status: 503,
    message: "The sender line has no RCS account",
    retry: "never",
  },
  rcs_check_unavailable: {
    code: 4010,
    status: 503,
    message: "RCS capability check unavailable",
    retry: "later",
    retryAfterSeconds: 30,
  },
  upload_failed: { code: 5001, status: 500, message: "File upload failed" },
  download_failed: { code: 5002, status: 500, message: "File download failed" },
  file_url_failed: { code: 5003, status: 500, message: "Failed to generate file URL" },
  file_type_invalid: { code: 5004, status: 400, message: "Invalid file type" },
  file_too_large: { code: 5005, status: 400, message: "File too large" },
  content_type_mismatch: { code: 5006, status: 400, message: "Content type mismatch" },
  image_download_failed: {
    code: 5007,
    status: 400,
    message: "Failed to download image from the provided URL",
  },
} as const satisfies Record<string, ErrorRow>;

interface ErrorRow {
  code: number;
  status: number;
  message: string;
  /** Overrides the clients' own rule: `never` sends x-should-retry: false, `later` sends true. */
  retry?: "never" | "later";
  retryAfterSeconds?: number;
}

export type ErrorName = keyof typeof ERRORS;

/** An error with a name from the table above. Only `lib/runtime/http/error-response.ts` turns it into a response. */
export class ApiError extends Error {
  readonly row: ErrorRow;

  constructor(
    readonly errorName: ErrorName,
    detail?: string,
    readonly retryAfterSeconds?: number,
    /** Headers of the response, instead of those that the table gives it. */
    readonly headers?: Readonly<Record<string, string>>,
    /** Further fields of the error in the response. */
    readonly fields?: Readonly<Record<string, string | null>>,
  ) {
    const row: ErrorRow = ERRORS[errorName];
    super(detail === undefined ? row.message : `${row.message}: ${detail}`);
    this.row = row;
  }
}

/** Fails the request with the named error. `detail` says what is wrong and how to fix it. */
export function fail(name: ErrorName, detail?: string): never {
  throw new ApiError(name, detail);
}

/** Fails the request with 429/1007 and sets Retry-After. `advice` continues the message. */
export function failRateLimited(retryAfterSeconds: number, advice = ""): never {
  throw rateLimited(retryAfterSeconds, advice);
}

export function rateLimited(retryAfterSeconds: number, advice = ""): ApiError {
  return new ApiError("rate_limited", `retry in ${retryAfterSeconds} seconds${advice}`, retryAfterSeconds);
}
