import "server-only";
import type { Guidance } from "@/lib/platform/errors/guidance";

/** Guidance for 2xxx errors: access, missing resources and conflicts with their state. */
export const RESOURCE_GUIDANCE = {
  2001: {
    means: "The account has no chat with this ID.",
    fix: "List the chats, or create one with its first message: POST /v3/chats returns the existing chat with the same participants if there is one.",
    retry: "never",
  },
  2002: {
    means:
      "The message does not exist or was deleted. A request that repeats the idempotency key of a deleted message also returns this error.",
    fix: "Use the ID from the response to the send. To send again after a deletion, use a new idempotency key.",
    retry: "never",
  },
  2003: {
    means: "The attachment does not exist, has expired or belongs to another account.",
    fix: "Upload the file again and use the new attachment ID.",
    retry: "never",
  },
  2004: {
    means: "The request has no token, or the token is unknown or revoked.",
    fix: "Send Authorization: Bearer <token> with a token from the dashboard (API tokens). A revoked token can't be restored: create a new one.",
    retry: "after_change",
  },
  2005: {
    means:
      "The resource belongs to another account, your role does not allow this operation, or the account was archived or has expired. The message says which.",
    fix: "Check that the token belongs to the account that owns the resource. Sandbox and production are separate accounts with separate tokens. Ask an admin to restore an archived account.",
    retry: "never",
  },
  2006: {
    means: "The number in from is not a line of this account.",
    fix: "Use a line that GET /v3/phone_numbers lists.",
    retry: "after_change",
  },
  2007: {
    means: "The attachment's file has not been uploaded yet or is still being checked.",
    fix: "Finish the upload to the upload_url from POST /v3/attachments, then send the message.",
    retry: "later",
  },
  2008: {
    means: "In a sandbox, you can message only people who have messaged the line first.",
    fix: "Have the recipient send any message to the line first. Production accounts don't have this restriction.",
    retry: "after_change",
  },
  2009: {
    means: "The messaging service is still creating this group.",
    fix: "Retry in a few seconds.",
    retry: "later",
  },
  2010: {
    means: "The account has no webhook subscription with this ID, or the subscription was deleted.",
    fix: "Use an ID that GET /v3/webhook-subscriptions lists.",
    retry: "never",
  },
  2011: {
    means: "This feature is not enabled for the account.",
    fix: "Ask your operator to enable the feature for the account.",
    retry: "after_change",
  },
  2012: {
    means: "The line has no contact card.",
    fix: "Create one with POST /v3/contact_card.",
    retry: "after_change",
  },
  2013: {
    means: "The line has left this chat. You can read the chat but not send to it.",
    fix: "Create another chat with the people you want to message.",
    retry: "never",
  },
  2014: {
    means: "The line already has a contact card.",
    fix: "Update it with PATCH /v3/contact_card.",
    retry: "never",
  },
  2015: {
    means:
      "The operation conflicts with the current state of the resource, for example a second subscription with the same target URL, an edit after the edit window, an audit while another one is running, or a send to a chat that a person has taken over in the dashboard.",
    fix: "Read the message, which names the conflict. Get the resource and check its state before you send another request.",
    retry: "never",
  },
  2016: {
    means: "Group chats don't support this operation.",
    fix: "Use a chat with a single recipient.",
    retry: "never",
  },
  2017: {
    means:
      "The chat's service doesn't support this operation, for example iMessage from a line that supports only RCS and SMS.",
    fix: "Omit the feature, omit preferred_service, or send from a line that supports the service.",
    retry: "never",
  },
  2018: {
    means: "iMessage app messages require iMessage for both the line and the recipient.",
    fix: "Check the recipient's capability first. Send a link part to recipients without iMessage.",
    retry: "never",
  },
  2019: {
    means: "The account has no line with this ID.",
    fix: "Use the ID from GET /v3/phone_numbers, not the phone number.",
    retry: "never",
  },
  2020: {
    means: "The line has no reputation audit with this ID.",
    fix: "Start an audit and use the ID in the response.",
    retry: "never",
  },
  2021: {
    means: "The account has no payment request with this ID.",
    fix: "Use an ID that GET /v3/payment_requests lists.",
    retry: "never",
  },
  2022: {
    means: "The messaging service rejected the contact card.",
    fix: "Retry. If the error persists, check the line's connection.",
    retry: "with_backoff",
  },
  2023: {
    means:
      "Only group chats support this operation, for example mentioning a participant or leaving the chat.",
    fix: "Check is_group on the chat first.",
    retry: "never",
  },
  2024: {
    means: "The recipient opted out of messages. The opt-out applies to every line of the account.",
    fix: "Don't message the recipient. The opt-out ends when the recipient next writes. To send one final courtesy message, set override_optout.",
    retry: "never",
  },
  2025: {
    means: "The handle is not blocked. The request must use the handle exactly as it is stored.",
    fix: "Use the handle that GET /v3/blocked_handles returns.",
    retry: "never",
  },
  2026: {
    means: "The account has blocked this recipient.",
    fix: "Unblock the handle to message this recipient.",
    retry: "never",
  },
  2027: {
    means:
      "The line is flagged because recipients of too many of its chats did not reply or opted out, or because the messaging service or an operator flagged it.",
    fix: "Send from another line, and read the line's reputation for the risk factors.",
    retry: "after_change",
  },
  2028: {
    means: "App clip payment cards require iMessage.",
    fix: "Send the checkout URL as a link part instead.",
    retry: "never",
  },
  2029: {
    means: "Stickers require iMessage.",
    fix: "Send the image as a media part instead.",
    retry: "never",
  },
  2031: {
    means: "No participant of this chat is sharing a location.",
    fix: "Request a location with POST /v3/chats/{chatId}/location/request.",
    retry: "never",
  },
  2032: {
    means:
      "Events after this position were deleted from the log, because the log keeps events for EVENT_LOG_DAYS.",
    fix: 'Read what you missed from the resources themselves, then move the consumer with POST /v3/consumers/{name}/seek: after "oldest", or after an event that you know. The error\'s oldest is the oldest event in the log.',
    retry: "after_change",
  },
  2033: {
    means:
      "Another poll received events of this consumer and has neither acknowledged all of them nor reached the end of its lease.",
    fix: "Wait for the time in Retry-After and poll again. Let one process poll a consumer at a time, and acknowledge all events of a batch, which ends its lease.",
    retry: "later",
  },
  2034: {
    means:
      "The account has no consumer with this name, or the consumer was deleted after 30 days without a poll.",
    fix: "Create the consumer with PUT /v3/consumers/{name}.",
    retry: "after_change",
  },
  2035: {
    means:
      "The account has quiet hours, it is within them for a recipient, and the send or the account asks to refuse then.",
    fix: "Send the message when they end, which the error's message says, or set quiet_hours to hold, and Trunkline sends it then. A message that the recipient waits for, such as a code, can set quiet_hours to ignore.",
    retry: "after_change",
  },
} as const satisfies Record<number, Guidance>;
