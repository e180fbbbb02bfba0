import "server-only";
import { chatCreatedPayload } from "@/lib/events/chat-payload";
import { messageFailedPayload, messagePayload } from "@/lib/events/message-payload";
import type { Payload } from "@/lib/events/payload";

type EventGroup =
  | "Messages"
  | "Reactions"
  | "Participants"
  | "Chats"
  | "Phone lines"
  | "Polls"
  | "Calls"
  | "Locations"
  | "Payments"
  | "Contact cards"
  | "Account";

/** One kind of event partners can subscribe to. */
export interface EventKind {
  group: EventGroup;
  /** When it happens, in one sentence. */
  summary: string;
  /** How its `data` is made; null while this version of the service has nothing that causes it. */
  payload: Payload | null;
}

/** Every event type of contract.md 4.2, in the order they are listed. What is not here is internal. */
export const EVENTS = {
  "message.sent": kind("Messages", "A message was accepted by its transport.", messagePayload("sent")),
  "message.received": kind("Messages", "A contact wrote to one of your lines.", messagePayload("received")),
  "message.read": kind("Messages", "A contact read your message.", messagePayload("read")),
  "message.delivered": kind(
    "Messages",
    "Your message reached the contact's device.",
    messagePayload("delivered"),
  ),
  "message.failed": kind("Messages", "A message could not be sent or delivered.", messageFailedPayload),
  "message.edited": kind("Messages", "A text part of a message was edited (version 2026-02-03)."),
  "message.opt_out": kind("Messages", "Reserved; never sent."),
  "message.opt_in": kind("Messages", "Reserved; never sent."),
  "reaction.added": kind("Reactions", "A reaction was added to a part of a message."),
  "reaction.removed": kind("Reactions", "A reaction was taken back."),
  "participant.added": kind("Participants", "Someone joined a group."),
  "participant.removed": kind("Participants", "Someone left a group or was removed."),
  "chat.created": kind("Chats", "A conversation began, from either side.", chatCreatedPayload),
  "chat.group_name_updated": kind("Chats", "A group got another name."),
  "chat.group_icon_updated": kind("Chats", "A group got another icon."),
  "chat.group_name_update_failed": kind("Chats", "Your change of a group's name failed."),
  "chat.group_icon_update_failed": kind("Chats", "Your change of a group's icon failed."),
  "chat.background_updated": kind("Chats", "A chat's background was set or removed."),
  "chat.background_update_failed": kind("Chats", "Your change of a chat's background failed."),
  "chat.typing_indicator.started": kind("Chats", "A contact began to type."),
  "chat.typing_indicator.stopped": kind("Chats", "A contact stopped typing."),
  "phone_number.status_updated": kind("Phone lines", "A line's status or reputation changed."),
  "phone_number.assigned": kind("Phone lines", "A line was assigned to the account."),
  "phone_number.released": kind("Phone lines", "A line left the account."),
  "poll.received": kind("Polls", "A contact sent a poll."),
  "poll.sent": kind("Polls", "Your poll was accepted by its transport."),
  "poll.delivered": kind("Polls", "Your poll reached the contact's device."),
  "poll.read": kind("Polls", "A contact read your poll."),
  "poll.failed": kind("Polls", "Your poll could not be sent."),
  "poll.updated": kind("Polls", "Options were added to a poll."),
  "poll.vote.added": kind("Polls", "Someone voted."),
  "poll.vote.removed": kind("Polls", "Someone took a vote back."),
  "poll.reaction.added": kind("Polls", "A sticker was put on a poll."),
  "call.initiated": kind("Calls", "Reserved; never sent."),
  "call.ringing": kind("Calls", "Reserved; never sent."),
  "call.answered": kind("Calls", "Reserved; never sent."),
  "call.ended": kind("Calls", "Reserved; never sent."),
  "call.failed": kind("Calls", "Reserved; never sent."),
  "call.declined": kind("Calls", "Reserved; never sent."),
  "call.no_answer": kind("Calls", "Reserved; never sent."),
  "location.sharing.started": kind("Locations", "A contact began to share a location."),
  "location.sharing.stopped": kind("Locations", "A contact stopped sharing a location."),
  "payment.succeeded": kind("Payments", "A payment request was paid."),
  "payment.canceled": kind("Payments", "A payment request was canceled."),
  "payment.expired": kind("Payments", "A payment request expired unpaid."),
  "payment.declined": kind("Payments", "An agent payment was declined."),
  "payment.authorized": kind("Payments", "An agent payment was authorized."),
  "connection.created": kind("Payments", "A contact connected a card."),
  "connection.revoked": kind("Payments", "A contact's card connection ended."),
  "contact_card.received": kind("Contact cards", "A contact shared a contact card."),
  "contact_card.created": kind("Account", "A line's contact card was created."),
  "contact_card.updated": kind("Account", "A line's contact card was changed."),
  "contact_card.deleted": kind("Account", "A line's contact card was deleted."),
  "zero_day_retention.updated": kind("Account", "Message retention was switched."),
  "phone_number.forwarding_updated": kind("Account", "A line's forwarding number was changed."),
  "environment.created": kind("Account", "An environment was created."),
  "environment.renamed": kind("Account", "An environment was renamed."),
  "environment.deleted": kind("Account", "An environment was deleted."),
  "environment.line_moved": kind("Account", "A line moved to another environment."),
  "api_token.created": kind("Account", "An API token was created."),
  "api_token.renamed": kind("Account", "An API token was renamed."),
  "api_token.expiry_scheduled": kind("Account", "An API token was given an end."),
  "api_token.expired": kind("Account", "An API token expired."),
  "api_token.activated": kind("Account", "An API token's end was lifted."),
  "api_token.deleted": kind("Account", "An API token was deleted."),
  "webhook_subscription.created": kind("Account", "A webhook subscription was created."),
  "webhook_subscription.deleted": kind("Account", "A webhook subscription was deleted."),
  "webhook_subscription.target_url_changed": kind("Account", "A webhook subscription's target changed."),
  "webhook_subscription.enabled": kind("Account", "A webhook subscription was enabled."),
  "webhook_subscription.disabled": kind("Account", "A webhook subscription was disabled."),
  "webhook_subscription.events.updated": kind("Account", "A webhook subscription's events changed."),
  "webhook_subscription.phone_numbers.updated": kind("Account", "A webhook subscription's lines changed."),
  "webhook_subscription.routing_headers_set": kind("Account", "Routing headers were set."),
  "webhook_subscription.routing_headers_cleared": kind("Account", "Routing headers were cleared."),
  "team_member.added": kind("Account", "Someone joined the team."),
  "team_member.signed_in": kind("Account", "A member of the team signed in."),
  "team_member.signed_out": kind("Account", "A member of the team signed out."),
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

const BY_TYPE: ReadonlyMap<string, EventKind> = new Map(Object.entries(EVENTS));

/** The kind of a stored event; null for internal ones. */
export function eventKind(type: string): EventKind | null {
  return BY_TYPE.get(type) ?? null;
}

function kind(group: EventGroup, summary: string, payload: Payload | null = null): EventKind {
  return { group, summary, payload };
}
