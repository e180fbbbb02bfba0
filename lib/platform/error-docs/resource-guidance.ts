import "server-only";
import type { Guidance } from "@/lib/platform/error-docs/guidance";

/** 2xxx: who asks, for what, and in which state that is. */
export const RESOURCE_GUIDANCE = {
  2001: {
    means: "The account has no chat of this id.",
    fix: "List the chats, or create one with the first message: POST /v3/chats finds the existing chat of the same parties.",
    retry: "never",
  },
  2002: {
    means:
      "The message does not exist or was deleted. A repeated idempotency key of a deleted message gives this too.",
    fix: "Use the id from the answer of the send. To send again after deleting, use a new idempotency key.",
    retry: "never",
  },
  2003: {
    means: "The attachment does not exist, has expired, or belongs to another account.",
    fix: "Upload the file again and use the new attachment id.",
    retry: "never",
  },
  2004: {
    means: "There is no token, or it is unknown, mistyped or revoked.",
    fix: "Send Authorization: Bearer <token> with a token from the dashboard, API tokens. A revoked token stays dead: generate another.",
    retry: "after_change",
  },
  2005: {
    means: "What was asked for belongs to another account, or your role does not allow this.",
    fix: "Check that the token is of the account that owns it: sandbox and production are separate accounts with tokens of their own.",
    retry: "never",
  },
  2006: {
    means: "The number in from is not a line of this account.",
    fix: "GET /v3/phone_numbers lists the lines you can send from.",
    retry: "after_change",
  },
  2007: {
    means: "The file of the attachment has not been uploaded yet, or is still being checked.",
    fix: "Finish the upload to the address from POST /v3/attachments, then send.",
    retry: "later",
  },
  2008: {
    means: "In a sandbox only people who wrote to the line may be written to.",
    fix: "Let the recipient send any message to the line first. Production accounts have no such rule.",
    retry: "after_change",
  },
  2009: {
    means: "The transport is still creating this group.",
    fix: "Try again: the chat will be there within seconds.",
    retry: "later",
  },
  2010: {
    means: "The account has no webhook subscription of this id, or it was deleted.",
    fix: "GET /v3/webhook-subscriptions lists those there are.",
    retry: "never",
  },
  2011: {
    means: "The account does not have this feature.",
    fix: "Ask your operator to switch it on for the account.",
    retry: "after_change",
  },
  2012: {
    means: "The line has no contact card.",
    fix: "Create it with POST /v3/contact_card.",
    retry: "after_change",
  },
  2013: {
    means: "The line has left this chat, so it can be read but not written to.",
    fix: "Start another chat with the people you want to reach.",
    retry: "never",
  },
  2014: {
    means: "The line has a contact card already.",
    fix: "Change it with PATCH /v3/contact_card.",
    retry: "never",
  },
  2015: {
    means:
      "The operation does not fit the present state: the same webhook target twice, an edit after its time, an audit while one runs.",
    fix: "Ask for the resource, see its state and decide anew. The message says what stands in the way.",
    retry: "never",
  },
  2016: {
    means: "Groups cannot do this.",
    fix: "Use a chat with a single recipient.",
    retry: "never",
  },
  2017: {
    means: "The chat's service cannot do this, such as iMessage from a line that has only RCS and SMS.",
    fix: "Leave the feature out, drop preferred_service, or send from a line of the other type.",
    retry: "never",
  },
  2018: {
    means: "iMessage app messages need iMessage at both ends.",
    fix: "Check the recipient's capability first and send a link part to the others.",
    retry: "never",
  },
  2019: {
    means: "The account has no line of this id.",
    fix: "Use the id, not the number, from GET /v3/phone_numbers.",
    retry: "never",
  },
  2020: {
    means: "There is no reputation audit of this id on the line.",
    fix: "Start one and use the id of its answer.",
    retry: "never",
  },
  2021: {
    means: "The account has no payment request of this id.",
    fix: "GET /v3/payment_requests lists those there are.",
    retry: "never",
  },
  2022: {
    means: "The transport did not take the contact card.",
    fix: "Try again. If it stays so, check the line's connection.",
    retry: "with_backoff",
  },
  2023: {
    means: "This only exists in groups, such as mentioning someone or leaving.",
    fix: "Check is_group of the chat before you ask for it.",
    retry: "never",
  },
  2024: {
    means: "The recipient asked to stop being messaged. It holds for every line of the account.",
    fix: "Do not write. It ends by itself when the recipient writes again. For one last courtesy message set override_optout.",
    retry: "never",
  },
  2025: {
    means: "The handle is not blocked. It must be written just as it was stored.",
    fix: "GET /v3/blocked_handles shows the stored form.",
    retry: "never",
  },
  2026: {
    means: "The account has blocked this recipient.",
    fix: "Unblock the handle if that was a mistake.",
    retry: "never",
  },
  2027: {
    means: "The line is flagged: too many of its chats went unanswered or were stopped.",
    fix: "Send from another line, and see the line's reputation for what brought it there.",
    retry: "after_change",
  },
  2028: {
    means: "Payment cards in an app clip need iMessage.",
    fix: "Send the checkout address as a link part instead.",
    retry: "never",
  },
  2029: {
    means: "Stickers need iMessage.",
    fix: "Send the picture as a media part instead.",
    retry: "never",
  },
  2031: {
    means: "Nobody shares a location in this chat now.",
    fix: "Ask for it with POST /v3/chats/{chatId}/location/request.",
    retry: "never",
  },
} as const satisfies Record<number, Guidance>;
