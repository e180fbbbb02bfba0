import type { Step } from "@/scripts/cli/conform/areas/operation-step";
import type { World } from "@/scripts/cli/conform/run";

/** Names under `.invalid` never exist: a delivery there reaches no one. */
const NOWHERE = "https://conform.invalid/webhooks";
const NOBODY = "nobody@conform.invalid";
const unknownPayment = { status: 404, codes: [2021] };

/** Reads of the account. */
export const READ_STEPS: readonly Step[] = [
  { op: "GET /v3/phone_numbers" },
  { op: "GET /v3/phonenumbers" },
  { op: "GET /v3/available_number", expect: { tolerated: [2015] } },
  { op: "GET /v3/webhook-events" },
  { op: "GET /v3/webhook_events" },
  {
    op: "GET /v3/experiences",
    keep: { experience: "experiences.0.experience" },
  },
  { op: "GET /v3/experiences/{experience}" },
  { op: "GET /v3/contact_card" },
  { op: "GET /v3/blocked_handles" },
  { op: "GET /v3/chats" },
  { op: "GET /v3/payment_requests" },
  { op: "GET /v3/scheduled_messages", offers: "scheduledMessages" },
  { op: "GET /v3/token" },
  { op: "GET /v3/requests" },
  { op: "GET /v3/events/stream" },
  { op: "GET /partner-id" },
  { op: "GET /v1/webhook-logs", expect: { tolerated: [1005] } },
  { op: "POST /mcp", body: () => ({ jsonrpc: "2.0", id: 1, method: "tools/list", params: {} }) },
];

/** Calls that create something, and remove it. */
export const ACCOUNT_STEPS: readonly Step[] = [
  {
    op: "POST /v3/attachments",
    body: () => ({ filename: "conform.txt", content_type: "text/plain", size_bytes: 5 }),
    keep: { attachmentId: "attachment_id" },
  },
  { op: "GET /v3/attachments/{attachmentId}" },
  { op: "DELETE /v3/attachments/{attachmentId}" },
  { op: "POST /v3/blocked_handles", body: () => ({ handle: NOBODY }) },
  { op: "DELETE /v3/blocked_handles", body: () => ({ handle: NOBODY }) },
  {
    op: "POST /v3/webhook-subscriptions",
    body: ({ unknownId }) => ({
      target_url: `${NOWHERE}?run=${unknownId}`,
      subscribed_events: ["message.received"],
    }),
    keep: { subscriptionId: "id" },
  },
  { op: "GET /v3/webhook-subscriptions" },
  { op: "GET /v3/webhook-subscriptions/{subscriptionId}" },
  { op: "PUT /v3/webhook-subscriptions/{subscriptionId}", body: () => ({ is_active: true }) },
  { op: "POST /v3/webhook-subscriptions/{subscriptionId}/test", body: () => ({ type: "message.received" }) },
  {
    op: "POST /v3/webhook-subscriptions/{subscriptionId}/replays",
    body: () => ({ filter: { statuses: ["failed"] } }),
    expect: { toleratedInOwn: [2015] },
  },
  {
    op: "DELETE /v3/webhook-subscriptions/{subscriptionId}/replays",
    expect: { toleratedInOwn: [2015] },
  },
  {
    op: "POST /v3/webhook-subscriptions/{subscriptionId}/resume-chats",
    body: () => ({ action: "retry" }),
    expect: { tolerated: [2015] },
  },
  { op: "DELETE /v3/webhook-subscriptions/{subscriptionId}" },
  { op: "PUT /v3/consumers/{name}", body: () => ({ types: ["message.received"], start: "now" }) },
  { op: "GET /v3/consumers" },
  {
    op: "GET /v3/consumers/{name}",
    keep: { position: "position" },
  },
  { op: "POST /v3/consumers/{name}/poll", body: () => ({ limit: 1, wait_seconds: 0 }) },
  {
    op: "POST /v3/consumers/{name}/ack",
    needs: ["position"],
    body: ({ position, unknownId }) => ({ up_to: position, lease: unknownId }),
  },
  {
    op: "POST /v3/consumers/{name}/seek",
    needs: ["position"],
    body: ({ position }) => ({ after: position }),
  },
  { op: "DELETE /v3/consumers/{name}" },
  { op: "GET /v3/consumers/{name}", as: "deleted", expect: { status: 404, codes: [2034] } },
  {
    op: "POST /v3/contact_card",
    isOwnOnly: true,
    needs: ["line"],
    body: ({ line }) => ({ phone_number: line, first_name: "Conform" }),
  },
  {
    ...{ op: "POST /v3/contact_card", as: "again", isOwnOnly: true, needs: ["line"] },
    body: ({ line }) => ({ phone_number: line, first_name: "Conform" }),
    expect: { status: 409, codes: [2014] },
  },
  {
    op: "PATCH /v3/contact_card",
    isOwnOnly: true,
    needs: ["line"],
    query: ofLine,
    body: () => ({ first_name: "Conformance" }),
  },
  {
    op: "PUT /v3/phone_numbers/{phoneNumber}",
    isOwnOnly: true,
    path: ({ lineId }) => ({ phoneNumber: String(lineId) }),
    needs: ["lineId"],
    body: () => ({ forwarding_number: null }),
  },
  {
    ...{ op: "PUT /v3/phone_numbers/{phoneNumber}", as: "unknown", isOwnOnly: true },
    path: ({ unknownId }) => ({ phoneNumber: unknownId }),
    body: () => ({ forwarding_number: null }),
    expect: { status: 404, codes: [2019] },
  },
  {
    op: "POST /v3/phone_numbers/{phoneNumber}/reputation_audit",
    isOwnOnly: true,
    path: ({ line = "" }) => ({ phoneNumber: line }),
    needs: ["line"],
    keep: { auditId: "audit_id" },
  },
  {
    op: "GET /v3/phone_numbers/{phoneNumber}/reputation_audit/{auditId}",
    path: ({ line = "", auditId }) => ({ phoneNumber: line, auditId: String(auditId) }),
    needs: ["line", "auditId"],
  },
  {
    ...{
      op: "GET /v3/phone_numbers/{phoneNumber}/reputation_audit/{auditId}",
      as: "unknown",
      needs: ["line"],
    },
    path: ({ line = "", unknownId }) => ({ phoneNumber: line, auditId: unknownId }),
    expect: { status: 404, codes: [2020] },
  },
  {
    op: "POST /v3/capability/check_rcs",
    needs: ["recipient"],
    body: ({ recipient }) => ({ address: recipient }),
  },
];

/** Calls about money. Only the provider of an account of the run's own is simulated. */
export const PAYMENT_STEPS: readonly Step[] = [
  {
    op: "POST /v3/payment_requests",
    isOwnOnly: true,
    body: () => ({ amount: 4200, currency: "usd", description: "Conformance test" }),
    keep: { paymentRequestId: "id" },
  },
  { op: "GET /v3/payment_requests/{paymentRequestId}" },
  { op: "POST /v3/payment_requests/{paymentRequestId}/cancel" },
  {
    op: "POST /v3/payments",
    isOwnOnly: true,
    needs: ["recipient"],
    body: ({ recipient }) => ({ amount_cents: 4200, currency: "usd", handle: recipient }),
  },
  { op: "GET /v3/payments/{paymentId}", path: ofUnknown, expect: unknownPayment },
  { op: "GET /v3/payments/{paymentId}/credentials", path: ofUnknown, expect: unknownPayment },
  { op: "POST /v3/payments/{paymentId}/cancel", path: ofUnknown, expect: unknownPayment },
  { op: "GET /v3/payments/handles/{handle}/connection", path: ofRecipient, needs: ["recipient"] },
  {
    op: "POST /v3/payments/handles/{handle}/connect",
    isOwnOnly: true,
    path: ofRecipient,
    needs: ["recipient"],
    keep: { connectId: "connect_id" },
  },
  {
    op: "POST /v3/payments/handles/{handle}/verify",
    isOwnOnly: true,
    path: ofRecipient,
    needs: ["recipient", "connectId"],
    body: ({ connectId }) => ({ code: "000000", connect_id: connectId }),
    expect: { status: 400, codes: [1005] },
  },
  {
    op: "DELETE /v3/payments/handles/{handle}/connection",
    isOwnOnly: true,
    path: ofRecipient,
    needs: ["recipient"],
  },
  { op: "GET /v3/payments/providers/{provider}", path: () => ({ provider: "servicecard" }) },
  {
    op: "POST /v3/payments/providers/{provider}/connect",
    isOwnOnly: true,
    path: () => ({ provider: "servicecard" }),
    body: () => ({ return_url: "https://conform.invalid/return" }),
  },
];

/** At the end, more than 10 seconds after the other capability check in most runs. */
export const LAST_STEPS: readonly Step[] = [
  {
    op: "DELETE /v3/contact_card",
    isOwnOnly: true,
    needs: ["line"],
    query: ofLine,
  },
  {
    ...{ op: "PATCH /v3/contact_card", as: "without a card", isOwnOnly: true, needs: ["line"] },
    query: ofLine,
    body: () => ({ first_name: "Conformance" }),
    expect: { status: 404, codes: [2012] },
  },
  {
    op: "POST /v3/capability/check_imessage",
    needs: ["recipient"],
    body: ({ recipient }) => ({ address: recipient }),
  },
];

function ofLine({ line = "" }: World) {
  return `phone_number=${encodeURIComponent(line)}`;
}

function ofUnknown({ unknownId }: World) {
  return { paymentId: unknownId };
}

/** The handle of the person that the run writes to, in a path or a body. */
export function ofRecipient({ recipient = "" }: World) {
  return { handle: recipient };
}
