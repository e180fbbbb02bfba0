import { WEBHOOK_VERSIONS, type WebhookVersion } from "@/lib/events/catalog/webhook-version";

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

/** The properties of an event type, except its data and payload, which its domain defines (define-events.ts). */
interface EventKind {
  group: EventGroup;
  /** When the event occurs, in one sentence. */
  summary: string;
  /** The first version with this type. Subscriptions of earlier versions don't get it. */
  since: WebhookVersion;
  /** Subscriptions accept the type, but it is never sent (docs/contract.md, section 12.4). */
  neverSent: boolean;
  /** Only readers who name the type get it: a stream of all events leaves it out. */
  isOptIn: boolean;
}

const NEVER_SENT = { neverSent: true };

const OPT_IN = { isOptIn: true };

/** Every event type, in the order of the API's list (docs/contract.md, section 12.4). Any other type is internal. */
export const EVENT_KINDS = {
  "message.sent": kind("Messages", "The messaging service accepted your message."),
  "message.received": kind("Messages", "A contact sent a message to one of your lines."),
  "message.read": kind("Messages", "A contact read your message."),
  "message.delivered": kind("Messages", "Your message reached the contact's device."),
  "message.failed": kind("Messages", "A message could not be sent or delivered."),
  "message.edited": kind("Messages", "A text part of a message was edited.", { since: "2026-02-03" }),
  "message.unsent": kind("Messages", "Your message was unsent."),
  "message.opt_out": kind("Messages", "Reserved; never sent.", NEVER_SENT),
  "message.opt_in": kind("Messages", "Reserved; never sent.", NEVER_SENT),
  "reaction.added": kind("Reactions", "A reaction was added to a part of a message."),
  "reaction.removed": kind("Reactions", "A reaction was removed."),
  "participant.added": kind("Participants", "A participant joined a group."),
  "participant.removed": kind("Participants", "A participant left a group or was removed from it."),
  "chat.created": kind("Chats", "Your line or a contact created a chat."),
  "chat.group_name_updated": kind("Chats", "A group was renamed."),
  "chat.group_icon_updated": kind("Chats", "A group's icon was changed."),
  "chat.group_name_update_failed": kind("Chats", "Your update of a group's name failed."),
  "chat.group_icon_update_failed": kind("Chats", "Your update of a group's icon failed."),
  "chat.background_updated": kind("Chats", "A chat's background was set or removed."),
  "chat.background_update_failed": kind("Chats", "Your update of a chat's background failed."),
  "chat.typing_indicator.started": kind("Chats", "A contact started typing."),
  "chat.typing_indicator.stopped": kind("Chats", "A contact stopped typing."),
  "chat.turn": kind("Chats", "A contact finished writing: their messages since the last turn.", OPT_IN),
  "chat.loop_detected": kind(
    "Chats",
    "Two programs answer each other, so your sends to the chat are on hold.",
    OPT_IN,
  ),
  "chat.resumed": kind("Chats", "A person resumed a chat that was on hold.", OPT_IN),
  "phone_number.status_updated": kind("Phone lines", "A line's status or reputation changed."),
  "phone_number.assigned": kind("Phone lines", "A line was assigned to the account."),
  "phone_number.released": kind("Phone lines", "A line was released from the account."),
  "poll.received": kind("Polls", "A contact sent a poll."),
  "poll.sent": kind("Polls", "The messaging service accepted your poll."),
  "poll.delivered": kind("Polls", "Your poll reached the contact's device."),
  "poll.read": kind("Polls", "A contact read your poll."),
  "poll.failed": kind("Polls", "Your poll could not be sent."),
  "poll.updated": kind("Polls", "Options were added to a poll."),
  "poll.vote.added": kind("Polls", "A participant voted in a poll."),
  "poll.vote.removed": kind("Polls", "A participant removed a vote from a poll."),
  "poll.reaction.added": kind("Polls", "A sticker was added to a poll."),
  "call.initiated": kind("Calls", "Reserved; never sent.", NEVER_SENT),
  "call.ringing": kind("Calls", "Reserved; never sent.", NEVER_SENT),
  "call.answered": kind("Calls", "Reserved; never sent.", NEVER_SENT),
  "call.ended": kind("Calls", "Reserved; never sent.", NEVER_SENT),
  "call.failed": kind("Calls", "Reserved; never sent.", NEVER_SENT),
  "call.declined": kind("Calls", "Reserved; never sent.", NEVER_SENT),
  "call.no_answer": kind("Calls", "Reserved; never sent.", NEVER_SENT),
  "location.sharing.started": kind("Locations", "A contact started sharing a location."),
  "location.sharing.stopped": kind("Locations", "A contact stopped sharing a location."),
  "payment.succeeded": kind("Payments", "A payment request was paid."),
  "payment.canceled": kind("Payments", "A payment request was canceled."),
  "payment.expired": kind("Payments", "A payment request expired without payment."),
  "payment.declined": kind("Payments", "An agent payment was declined."),
  "payment.authorized": kind("Payments", "An agent payment was authorized."),
  "connection.created": kind("Payments", "A contact connected a card."),
  "connection.revoked": kind("Payments", "A contact's card connection ended."),
  "contact_card.received": kind("Contact cards", "A contact shared a contact card."),
  "contact_card.created": kind("Account", "A line's contact card was created."),
  "contact_card.updated": kind("Account", "A line's contact card was changed."),
  "contact_card.deleted": kind("Account", "A line's contact card was deleted."),
  "zero_day_retention.updated": kind(
    "Account",
    "Zero-day retention was turned on or off, or its period was changed.",
  ),
  "phone_number.forwarding_updated": kind("Account", "A line's forwarding number was changed."),
  "environment.created": kind("Account", "An environment was created."),
  "environment.renamed": kind("Account", "An environment was renamed."),
  "environment.deleted": kind("Account", "An environment was deleted."),
  "environment.line_moved": kind("Account", "A line was moved to another environment."),
  "api_token.created": kind("Account", "An API token was created."),
  "api_token.renamed": kind("Account", "An API token was renamed."),
  "api_token.expiry_scheduled": kind("Account", "An API token's expiry was set."),
  "api_token.expired": kind("Account", "An API token expired."),
  "api_token.activated": kind("Account", "An API token's expiry was removed."),
  "api_token.deleted": kind("Account", "An API token was deleted."),
  "webhook_subscription.created": kind("Account", "A webhook subscription was created."),
  "webhook_subscription.deleted": kind("Account", "A webhook subscription was deleted."),
  "webhook_subscription.target_url_changed": kind("Account", "A webhook subscription's target URL changed."),
  "webhook_subscription.enabled": kind("Account", "A webhook subscription was enabled."),
  "webhook_subscription.disabled": kind("Account", "A webhook subscription was disabled."),
  "webhook_subscription.events.updated": kind("Account", "A webhook subscription's events changed."),
  "webhook_subscription.phone_numbers.updated": kind("Account", "A webhook subscription's lines changed."),
  "webhook_subscription.routing_headers_set": kind(
    "Account",
    "A webhook subscription's routing headers were set.",
  ),
  "webhook_subscription.routing_headers_cleared": kind(
    "Account",
    "A webhook subscription's routing headers were cleared.",
  ),
  "team_member.added": kind("Account", "A team member was added."),
  "team_member.signed_in": kind("Account", "A team member signed in."),
  "team_member.signed_out": kind("Account", "A team member signed out."),
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENT_KINDS;

export const EVENT_TYPES = Object.keys(EVENT_KINDS) as [EventType, ...EventType[]];

const BY_TYPE: ReadonlyMap<string, EventKind> = new Map(Object.entries(EVENT_KINDS));

/** Whether partners receive events of this type; false for internal types. */
export function isEventType(type: string): type is EventType {
  return BY_TYPE.has(type);
}

/** Whether only readers who name the type get its events. */
export function isOptIn(type: string): boolean {
  return BY_TYPE.get(type)?.isOptIn === true;
}

/** The versions with a type, oldest first; empty for internal types. */
export function eventVersions(type: string): WebhookVersion[] {
  const kind = BY_TYPE.get(type);
  return kind === undefined ? [] : WEBHOOK_VERSIONS.filter((version) => version >= kind.since);
}

function kind(
  group: EventGroup,
  summary: string,
  {
    since = WEBHOOK_VERSIONS[0],
    neverSent = false,
    isOptIn = false,
  }: Partial<Pick<EventKind, "since" | "neverSent" | "isOptIn">> = {},
): EventKind {
  return { group, summary, since, neverSent, isOptIn };
}
