import "server-only";
import { backgroundFailedPayload, backgroundPayload } from "@/lib/events/background-payload";
import { callPayload } from "@/lib/events/call-payload";
import { chatCreatedPayload } from "@/lib/events/chat-payload";
import { connectionCreatedPayload, connectionRevokedPayload } from "@/lib/events/connection-payload";
import { cardPayload, cardUpdatedPayload } from "@/lib/events/contact-card-payload";
import { messageEditedPayload } from "@/lib/events/edit-payload";
import {
  environmentCreatedPayload,
  environmentDeletedPayload,
  environmentRenamedPayload,
  lineMovedPayload,
} from "@/lib/events/environment-payload";
import { groupFailedPayload, groupIconPayload, groupNamePayload } from "@/lib/events/group-payload";
import { lineAssignmentPayload, lineStatusPayload } from "@/lib/events/line-payload";
import { forwardingPayload, retentionPayload } from "@/lib/events/line-settings-payload";
import { locationStartedPayload, locationStoppedPayload } from "@/lib/events/location-payload";
import { messageFailedPayload, messagePayload } from "@/lib/events/message-payload";
import { optOutPayload } from "@/lib/events/opt-out-payload";
import { participantAddedPayload, participantRemovedPayload } from "@/lib/events/participant-payload";
import type { Payload } from "@/lib/events/payload";
import {
  agentPaymentPayload,
  paymentEndedPayload,
  paymentSucceededPayload,
} from "@/lib/events/payment-payload";
import {
  pollDeliveredPayload,
  pollFailedPayload,
  pollReadPayload,
  pollReceivedPayload,
  pollSentPayload,
  pollUpdatedPayload,
  pollVotePayload,
} from "@/lib/events/poll-payload";
import { pollReactionPayload, reactionPayload } from "@/lib/events/reaction-payload";
import { receivedCardPayload } from "@/lib/events/received-card-payload";
import {
  routingHeadersPayload,
  subscriptionCreatedPayload,
  subscriptionDisabledPayload,
  subscriptionEventsPayload,
  subscriptionLinesPayload,
  subscriptionPayload,
  subscriptionTargetPayload,
} from "@/lib/events/subscription-payload";
import {
  memberAddedPayload,
  memberSignedInPayload,
  memberSignedOutPayload,
} from "@/lib/events/team-member-payload";
import {
  tokenExpiredPayload,
  tokenExpiryPayload,
  tokenPayload,
  tokenRenamedPayload,
} from "@/lib/events/token-payload";
import { typingPayload } from "@/lib/events/typing-payload";
import { WEBHOOK_VERSIONS, type WebhookVersion } from "@/lib/events/webhook-version";

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
interface EventKind<Kind extends Payload = Payload> {
  group: EventGroup;
  /** When it happens, in one sentence. */
  summary: string;
  /** How its `data` is made. */
  payload: Kind;
  /** The version it came with: subscriptions of earlier ones do not get it. */
  since: WebhookVersion;
  /** Can be subscribed to and never fires (contract.md 0). */
  neverSent: boolean;
}

const NEVER_SENT = { neverSent: true };

/** Every event type of contract.md 4.2, in the order they are listed. What is not here is internal. */
export const EVENTS = {
  "message.sent": kind("Messages", "A message was accepted by its transport.", messagePayload("sent")),
  "message.received": kind(
    "Messages",
    "A contact sent a message to one of your lines.",
    messagePayload("received"),
  ),
  "message.read": kind("Messages", "A contact read your message.", messagePayload("read")),
  "message.delivered": kind(
    "Messages",
    "Your message reached the contact's device.",
    messagePayload("delivered"),
  ),
  "message.failed": kind("Messages", "A message could not be sent or delivered.", messageFailedPayload),
  "message.edited": kind("Messages", "A text part of a message was edited.", messageEditedPayload, {
    since: "2026-02-03",
  }),
  "message.opt_out": kind("Messages", "Reserved; never sent.", optOutPayload, NEVER_SENT),
  "message.opt_in": kind("Messages", "Reserved; never sent.", optOutPayload, NEVER_SENT),
  "reaction.added": kind("Reactions", "A reaction was added to a part of a message.", reactionPayload),
  "reaction.removed": kind("Reactions", "A reaction was removed.", reactionPayload),
  "participant.added": kind("Participants", "Someone joined a group.", participantAddedPayload),
  "participant.removed": kind(
    "Participants",
    "Someone left a group or was removed.",
    participantRemovedPayload,
  ),
  "chat.created": kind("Chats", "A chat was created by your line or by a contact.", chatCreatedPayload),
  "chat.group_name_updated": kind("Chats", "A group was renamed.", groupNamePayload),
  "chat.group_icon_updated": kind("Chats", "A group's icon was changed.", groupIconPayload),
  "chat.group_name_update_failed": kind("Chats", "Your update of a group's name failed.", groupFailedPayload),
  "chat.group_icon_update_failed": kind("Chats", "Your update of a group's icon failed.", groupFailedPayload),
  "chat.background_updated": kind("Chats", "A chat's background was set or removed.", backgroundPayload),
  "chat.background_update_failed": kind(
    "Chats",
    "Your update of a chat's background failed.",
    backgroundFailedPayload,
  ),
  "chat.typing_indicator.started": kind("Chats", "A contact started typing.", typingPayload),
  "chat.typing_indicator.stopped": kind("Chats", "A contact stopped typing.", typingPayload),
  "phone_number.status_updated": kind(
    "Phone lines",
    "A line's status or reputation changed.",
    lineStatusPayload,
  ),
  "phone_number.assigned": kind("Phone lines", "A line was assigned to the account.", lineAssignmentPayload),
  "phone_number.released": kind(
    "Phone lines",
    "A line was released from the account.",
    lineAssignmentPayload,
  ),
  "poll.received": kind("Polls", "A contact sent a poll.", pollReceivedPayload),
  "poll.sent": kind("Polls", "Your poll was accepted by its transport.", pollSentPayload),
  "poll.delivered": kind("Polls", "Your poll reached the contact's device.", pollDeliveredPayload),
  "poll.read": kind("Polls", "A contact read your poll.", pollReadPayload),
  "poll.failed": kind("Polls", "Your poll could not be sent.", pollFailedPayload),
  "poll.updated": kind("Polls", "Options were added to a poll.", pollUpdatedPayload),
  "poll.vote.added": kind("Polls", "Someone voted.", pollVotePayload),
  "poll.vote.removed": kind("Polls", "Someone removed a vote.", pollVotePayload),
  "poll.reaction.added": kind("Polls", "A sticker was added to a poll.", pollReactionPayload),
  "call.initiated": kind("Calls", "Reserved; never sent.", callPayload("initiated"), NEVER_SENT),
  "call.ringing": kind("Calls", "Reserved; never sent.", callPayload("ringing"), NEVER_SENT),
  "call.answered": kind("Calls", "Reserved; never sent.", callPayload("answered"), NEVER_SENT),
  "call.ended": kind("Calls", "Reserved; never sent.", callPayload("ended"), NEVER_SENT),
  "call.failed": kind("Calls", "Reserved; never sent.", callPayload("failed"), NEVER_SENT),
  "call.declined": kind("Calls", "Reserved; never sent.", callPayload("declined"), NEVER_SENT),
  "call.no_answer": kind("Calls", "Reserved; never sent.", callPayload("no_answer"), NEVER_SENT),
  "location.sharing.started": kind(
    "Locations",
    "A contact started sharing a location.",
    locationStartedPayload,
  ),
  "location.sharing.stopped": kind(
    "Locations",
    "A contact stopped sharing a location.",
    locationStoppedPayload,
  ),
  "payment.succeeded": kind("Payments", "A payment request was paid.", paymentSucceededPayload),
  "payment.canceled": kind("Payments", "A payment request was canceled.", paymentEndedPayload("canceled")),
  "payment.expired": kind(
    "Payments",
    "A payment request expired without payment.",
    paymentEndedPayload("expired"),
  ),
  "payment.declined": kind("Payments", "An agent payment was declined.", agentPaymentPayload("declined")),
  "payment.authorized": kind(
    "Payments",
    "An agent payment was authorized.",
    agentPaymentPayload("authorized"),
  ),
  "connection.created": kind("Payments", "A contact connected a card.", connectionCreatedPayload),
  "connection.revoked": kind("Payments", "A contact's card connection ended.", connectionRevokedPayload),
  "contact_card.received": kind("Contact cards", "A contact shared a contact card.", receivedCardPayload),
  "contact_card.created": kind("Account", "A line's contact card was created.", cardPayload("created")),
  "contact_card.updated": kind("Account", "A line's contact card was changed.", cardUpdatedPayload),
  "contact_card.deleted": kind("Account", "A line's contact card was deleted.", cardPayload("deleted")),
  "zero_day_retention.updated": kind("Account", "Message retention was changed.", retentionPayload),
  "phone_number.forwarding_updated": kind(
    "Account",
    "A line's forwarding number was changed.",
    forwardingPayload,
  ),
  "environment.created": kind("Account", "An environment was created.", environmentCreatedPayload),
  "environment.renamed": kind("Account", "Reserved; never sent.", environmentRenamedPayload, NEVER_SENT),
  "environment.deleted": kind("Account", "An environment was deleted.", environmentDeletedPayload),
  "environment.line_moved": kind("Account", "Reserved; never sent.", lineMovedPayload, NEVER_SENT),
  "api_token.created": kind("Account", "An API token was created.", tokenPayload("created")),
  "api_token.renamed": kind("Account", "An API token was renamed.", tokenRenamedPayload),
  "api_token.expiry_scheduled": kind("Account", "An API token's expiry was set.", tokenExpiryPayload),
  "api_token.expired": kind("Account", "An API token expired.", tokenExpiredPayload),
  "api_token.activated": kind("Account", "An API token's expiry was removed.", tokenPayload("activated")),
  "api_token.deleted": kind("Account", "An API token was deleted.", tokenPayload("deleted")),
  "webhook_subscription.created": kind(
    "Account",
    "A webhook subscription was created.",
    subscriptionCreatedPayload,
  ),
  "webhook_subscription.deleted": kind(
    "Account",
    "A webhook subscription was deleted.",
    subscriptionPayload("deleted"),
  ),
  "webhook_subscription.target_url_changed": kind(
    "Account",
    "A webhook subscription's target changed.",
    subscriptionTargetPayload,
  ),
  "webhook_subscription.enabled": kind(
    "Account",
    "A webhook subscription was enabled.",
    subscriptionPayload("enabled"),
  ),
  "webhook_subscription.disabled": kind(
    "Account",
    "A webhook subscription was disabled.",
    subscriptionDisabledPayload,
  ),
  "webhook_subscription.events.updated": kind(
    "Account",
    "A webhook subscription's events changed.",
    subscriptionEventsPayload,
  ),
  "webhook_subscription.phone_numbers.updated": kind(
    "Account",
    "A webhook subscription's lines changed.",
    subscriptionLinesPayload,
  ),
  "webhook_subscription.routing_headers_set": kind(
    "Account",
    "Routing headers were set.",
    routingHeadersPayload("set"),
  ),
  "webhook_subscription.routing_headers_cleared": kind(
    "Account",
    "Routing headers were cleared.",
    routingHeadersPayload("cleared"),
  ),
  "team_member.added": kind("Account", "Someone joined the team.", memberAddedPayload),
  "team_member.signed_in": kind("Account", "A member of the team signed in.", memberSignedInPayload),
  "team_member.signed_out": kind("Account", "A member of the team signed out.", memberSignedOutPayload),
} as const satisfies Record<string, EventKind>;

export type EventType = keyof typeof EVENTS;

/** What is stored with an event of a type: `data` of a NewEvent. */
export type FactsOf<Type extends EventType> = (typeof EVENTS)[Type]["payload"]["example"];

export const EVENT_TYPES = Object.keys(EVENTS) as [EventType, ...EventType[]];

const BY_TYPE: ReadonlyMap<string, EventKind> = new Map(Object.entries(EVENTS));

/** The kind of a stored event; null for internal ones. */
export function eventKind(type: string): EventKind | null {
  return BY_TYPE.get(type) ?? null;
}

/** The versions that have a type, oldest first; none for internal ones. */
export function eventVersions(type: string): WebhookVersion[] {
  const kind = eventKind(type);
  return kind === null ? [] : WEBHOOK_VERSIONS.filter((version) => version >= kind.since);
}

function kind<Kind extends Payload>(
  group: EventGroup,
  summary: string,
  payload: Kind,
  { since = WEBHOOK_VERSIONS[0], neverSent = false }: Partial<Pick<EventKind, "since" | "neverSent">> = {},
): EventKind<Kind> {
  return { group, summary, payload, since, neverSent };
}
