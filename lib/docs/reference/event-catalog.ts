import "server-only";
import type { EventCatalog } from "@/lib/events/catalog/event-registry";
import { ENVIRONMENT_EVENTS } from "@/lib/identity/accounts/environment-events";
import { TOKEN_EVENTS } from "@/lib/identity/tokens/token-events";
import { TEAM_MEMBER_EVENTS } from "@/lib/identity/users/team-member-events";
import { CONTACT_CARD_EVENTS } from "@/lib/lines/contact-cards/contact-card-events";
import { FORWARDING_EVENTS } from "@/lib/lines/lines/forwarding-events";
import { LINE_EVENTS } from "@/lib/lines/lines/line-events";
import { CALL_EVENTS } from "@/lib/messaging/calls/call-events";
import { CHAT_CREATED_EVENTS } from "@/lib/messaging/chats/chat-created-events";
import { EDIT_EVENTS } from "@/lib/messaging/edits/edit-events";
import { BACKGROUND_EVENTS } from "@/lib/messaging/groups/background-events";
import { GROUP_EVENTS } from "@/lib/messaging/groups/group-events";
import { PARTICIPANT_EVENTS } from "@/lib/messaging/groups/participant-events";
import { RECEIVED_CARD_EVENTS } from "@/lib/messaging/inbound/received-card-events";
import { LOCATION_EVENTS } from "@/lib/messaging/locations/location-events";
import { LOOP_EVENTS } from "@/lib/messaging/loops/loop-events";
import { MESSAGE_EVENTS } from "@/lib/messaging/messages/message-events";
import { POLL_EVENTS } from "@/lib/messaging/polls/poll-events";
import { TYPING_EVENTS } from "@/lib/messaging/presence/typing-events";
import { REACTION_EVENTS } from "@/lib/messaging/reactions/reaction-events";
import { TURN_EVENTS } from "@/lib/messaging/turns/turn-events";
import { UNSEND_EVENTS } from "@/lib/messaging/unsends/unsend-events";
import { AGENT_PAYMENT_EVENTS } from "@/lib/payments/agent-payments/agent-payment-events";
import { CONNECTION_EVENTS } from "@/lib/payments/connections/connection-events";
import { PAYMENT_REQUEST_EVENTS } from "@/lib/payments/requests/payment-request-events";
import { OPT_OUT_EVENTS } from "@/lib/recipients/opt-outs/opt-out-events";
import { SUBSCRIPTION_EVENTS } from "@/lib/webhooks/subscriptions/subscription-events";

/** The definition of every event type, each from its domain. A type without a definition does not compile. */
export const EVENT_CATALOG = {
  ...MESSAGE_EVENTS,
  ...EDIT_EVENTS,
  ...UNSEND_EVENTS,
  ...OPT_OUT_EVENTS,
  ...REACTION_EVENTS,
  ...PARTICIPANT_EVENTS,
  ...CHAT_CREATED_EVENTS,
  ...GROUP_EVENTS,
  ...BACKGROUND_EVENTS,
  ...TYPING_EVENTS,
  ...TURN_EVENTS,
  ...LOOP_EVENTS,
  ...LINE_EVENTS,
  ...FORWARDING_EVENTS,
  ...POLL_EVENTS,
  ...CALL_EVENTS,
  ...LOCATION_EVENTS,
  ...AGENT_PAYMENT_EVENTS,
  ...PAYMENT_REQUEST_EVENTS,
  ...CONNECTION_EVENTS,
  ...RECEIVED_CARD_EVENTS,
  ...CONTACT_CARD_EVENTS,
  ...ENVIRONMENT_EVENTS,
  ...TOKEN_EVENTS,
  ...SUBSCRIPTION_EVENTS,
  ...TEAM_MEMBER_EVENTS,
} satisfies EventCatalog;
