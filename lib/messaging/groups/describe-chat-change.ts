import "server-only";
import { z } from "zod";
import { BACKGROUND_EVENTS } from "@/lib/messaging/groups/background-events";
import { GROUP_EVENTS } from "@/lib/messaging/groups/group-events";
import { PARTICIPANT_EVENTS } from "@/lib/messaging/groups/participant-events";
import { LOCATION_EVENTS } from "@/lib/messaging/locations/location-events";
import { amountText, minorUnits } from "@/lib/platform/text/money";

const ActionFailed = z.object({
  kind: z.string(),
  handle: z.string().optional(),
  error_code: z.int().optional(),
});

const PaymentFact = z.object({ amount: z.int(), currency: z.string(), reason: z.string().optional() });

/** The sentence that describes each event of a chat. */
const SENTENCES: Readonly<Record<string, (data: unknown) => string>> = {
  "participant.added": (data) =>
    `${who(PARTICIPANT_EVENTS["participant.added"].data.parse(data).participant)} joined`,
  "participant.removed": (data) => {
    const { participant } = PARTICIPANT_EVENTS["participant.removed"].data.parse(data);
    return `${who(participant)} ${participant.status === "removed" ? "was removed" : "left"}`;
  },
  "chat.group_name_updated": (data) => {
    const { new_value, changed_by_handle } = GROUP_EVENTS["chat.group_name_updated"].data.parse(data);
    return `${who(changed_by_handle)} ${new_value === null ? "removed the group name" : `named the group “${new_value}”`}`;
  },
  "chat.group_icon_updated": (data) => {
    const { new_icon, changed_by_handle } = GROUP_EVENTS["chat.group_icon_updated"].data.parse(data);
    return `${who(changed_by_handle)} ${new_icon === null ? "removed the group icon" : "changed the group icon"}`;
  },
  "chat.background_updated": (data) => {
    const { background, actor_handle } = BACKGROUND_EVENTS["chat.background_updated"].data.parse(data);
    return `${who(actor_handle)} ${background === undefined ? "removed" : "changed"} the background`;
  },
  "location.sharing.started": (data) =>
    `${LOCATION_EVENTS["location.sharing.started"].data.parse(data).shared_by} started sharing a location`,
  "location.sharing.stopped": (data) =>
    `${LOCATION_EVENTS["location.sharing.stopped"].data.parse(data).shared_by} stopped sharing a location`,
  "chat.group_name_update_failed": (data) => `The group name could not be changed (${codeOf(data)})`,
  "chat.group_icon_update_failed": (data) => `The group icon could not be changed (${codeOf(data)})`,
  "chat.background_update_failed": (data) => `The background could not be changed (${codeOf(data)})`,
  "payment_request.requested": (data) => `${amountOf(data)} requested`,
  "payment_request.opened": (data) => `The checkout for ${amountOf(data)} was opened`,
  "payment_request.attempted": (data) => `A payment of ${amountOf(data)} was attempted`,
  "payment_request.challenged": (data) =>
    `The bank required authentication for a payment of ${amountOf(data)}`,
  "payment_request.declined": (data) => `A payment of ${amountOf(data)} was declined${reasonOf(data)}`,
  "payment_request.paid": (data) => `${amountOf(data)} paid`,
  "chat.action_failed": (data) => {
    const { kind, handle = "someone", error_code } = ActionFailed.parse(data);
    const sentence = FAILURES[kind]?.(handle) ?? "A change could not be made";
    return error_code === undefined ? sentence : `${sentence} (${error_code})`;
  },
};

const FAILURES: Readonly<Record<string, (handle: string) => string>> = {
  add_participant: (handle) => `${handle} could not be added`,
  remove_participant: (handle) => `${handle} could not be removed`,
  leave: () => "The line could not leave the chat",
  request_location: () => "The location could not be requested",
  stop_location: (handle) => `Location sharing by ${handle} could not be stopped`,
  edit: () => "A message could not be edited on the recipient's phone",
  unsend: () => "A message could not be unsent",
  react: () => "A reaction could not be removed",
  unknown_reaction: (handle) => `${handle} reacted to a message in a way that can't be shown`,
  move_sticker: () => "A sticker could not be moved",
  add_poll_options: () => "Options could not be added to a poll",
  vote: () => "A vote in a poll could not be changed",
  share_contact_card: () => "The contact card could not be shared",
  card_before_message: () => "The contact card was not shared: send a message in this chat first",
  card_shared_recently: () => "The contact card was not shared again: it can be shared once per day",
};

/** The event types that a timeline shows between messages. */
export const TIMELINE_EVENT_TYPES: readonly string[] = Object.keys(SENTENCES);

/**
 * Describes an event of TIMELINE_EVENT_TYPES in one sentence. Throws for other types, and for data that does not match the type.
 */
export function describeChatChange(type: string, data: unknown): string {
  const sentence = SENTENCES[type];
  if (sentence === undefined) throw new Error(`no timeline sentence for ${type}`);
  return sentence(data);
}

function who(handle: { handle: string; is_me: boolean | null } | null | undefined): string {
  if (handle === null || handle === undefined) return "Someone";
  return handle.is_me ? "Your line" : handle.handle;
}

function amountOf(data: unknown): string {
  const { amount, currency } = PaymentFact.parse(data);
  return amountText(minorUnits(amount, currency), currency);
}

function reasonOf(data: unknown): string {
  const { reason } = PaymentFact.parse(data);
  return reason === undefined ? "" : `: ${reason.replaceAll("_", " ")}`;
}

function codeOf(data: unknown): number {
  return z.object({ error_code: z.int() }).parse(data).error_code;
}
