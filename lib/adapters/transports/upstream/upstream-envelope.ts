import "server-only";
import { z } from "zod";
import { Option } from "@/lib/adapters/transports/upstream/upstream-polls";
import { ServiceType } from "@/lib/platform/prisma/enums";

/** The event types that a line needs. */
export const EVENT_TYPES = [
  "message.sent",
  "message.received",
  "message.delivered",
  "message.read",
  "message.failed",
  "message.edited",
  "reaction.added",
  "reaction.removed",
  "participant.added",
  "participant.removed",
  "chat.group_name_updated",
  "chat.group_icon_updated",
  "chat.background_updated",
  "chat.typing_indicator.started",
  "chat.typing_indicator.stopped",
  "phone_number.status_updated",
  "phone_number.released",
  "poll.received",
  "poll.sent",
  "poll.delivered",
  "poll.read",
  "poll.failed",
  "poll.updated",
  "poll.vote.added",
  "poll.vote.removed",
  "poll.reaction.added",
  "location.sharing.started",
  "location.sharing.stopped",
] as const;

/** An event of the API. `data` depends on the type and the payload version. */
export const Envelope = z.object({
  event_type: z.string(),
  event_id: z.string().min(1).max(200),
  created_at: z.string(),
  data: z.looseObject({}),
});

export type Envelope = z.infer<typeof Envelope>;

const Time = z.string().nullish();
const Handle = z.object({ handle: z.string(), is_me: z.boolean().nullish(), status: z.string().nullish() });
/** null for a service that Trunkline lacks. */
const Service = z.enum(ServiceType).nullish().catch(null);
const Range = z.tuple([z.int(), z.int()]);

const Media = z.object({
  type: z.literal("media"),
  filename: z.string().nullish(),
  mime_type: z.string().nullish(),
  url: z.string().nullish(),
});

const Text = z.object({
  type: z.literal("text"),
  value: z.string(),
  mentions: z.array(z.object({ handle: z.string(), range: Range })).nullish(),
});

const Card = z.object({
  type: z.literal("imessage_app"),
  app: z.object({
    bundle_id: z.string(),
    name: z.string(),
    team_id: z.string(),
    app_store_id: z.int().nullish(),
  }),
  layout: z.record(z.string(), z.string().nullish()),
  url: z.string().nullish(),
  fallback_text: z.string().nullish(),
});

const Link = z.object({ type: z.enum(["link", "app_clip"]), value: z.string() });

/** A part of a message. Parts of types that are not known are left out. */
const Part = z.union([Text, Media, Card, Link, z.looseObject({ type: z.string() }).transform(() => null)]);

export type Part = NonNullable<z.output<typeof Part>>;

export const contentShape = {
  parts: z
    .array(Part)
    .nullish()
    .transform((parts) => (parts ?? []).flatMap((part) => part ?? [])),
  effect: z.looseObject({ type: z.string().optional(), name: z.string().optional() }).nullish(),
  reply_to: z.object({ message_id: z.string(), part_index: z.int().nullish() }).nullish(),
};

const timesShape = { sent_at: Time, delivered_at: Time, read_at: Time };

const Flat = z.object({
  id: z.string(),
  direction: z.enum(["inbound", "outbound"]),
  chat: z.object({ id: z.string(), is_group: z.boolean() }),
  sender_handle: Handle,
  service: Service,
  idempotency_key: z.string().nullish(),
  reconciled_at: Time,
  ...contentShape,
  ...timesShape,
});

/** The payload version 2025-01-01 of message.sent, received, delivered and read. */
const Nested = z.object({
  chat_id: z.string(),
  is_group: z.boolean().nullish(),
  is_from_me: z.boolean(),
  from_handle: Handle,
  service: Service,
  idempotency_key: z.string().nullish(),
  received_at: Time,
  message: z.object({ id: z.string(), created_at: Time, ...contentShape, ...timesShape }),
});

/** A message event of either payload version. */
export const MessageData = z.union([
  Flat,
  Nested.transform(({ message, received_at, ...data }) => ({
    id: message.id,
    direction: data.is_from_me ? ("outbound" as const) : ("inbound" as const),
    chat: { id: data.chat_id, is_group: data.is_group ?? false },
    sender_handle: data.from_handle,
    service: data.service,
    idempotency_key: data.idempotency_key,
    reconciled_at: null,
    parts: message.parts,
    effect: message.effect,
    reply_to: message.reply_to,
    sent_at: message.sent_at ?? received_at ?? message.created_at,
    delivered_at: message.delivered_at,
    read_at: message.read_at,
  })),
]);

export type MessageData = z.output<typeof MessageData>;

export const FailedData = z.object({
  message_id: z.string(),
  code: z.int(),
  reason: z.string().nullish(),
  failed_at: Time,
});

export const EditData = z.object({
  id: z.string(),
  direction: z.enum(["inbound", "outbound"]),
  sender_handle: Handle,
  part: z.object({ index: z.int(), text: z.string() }),
});

export const Tapback = z.enum(["love", "like", "dislike", "laugh", "emphasize", "question"]);

/** `reaction_type` = a tapback, `custom`, `sticker`, or a type that the upstream has added. */
export const ReactionData = z.object({
  is_from_me: z.boolean(),
  reaction_type: z.string(),
  message_id: z.string(),
  part_index: z.int().nullish(),
  custom_emoji: z.string().nullish(),
  from_handle: Handle,
  sticker: z
    .object({ file_name: z.string().nullish(), mime_type: z.string().nullish(), url: z.string() })
    .nullish(),
});

export const MemberData = z.object({ chat_id: z.string(), participant: Handle });

export const GroupData = z.object({
  chat_id: z.string(),
  new_value: z.string().nullish(),
  changed_by_handle: Handle.nullish(),
});

export const BackgroundData = z.object({
  chat: z.object({ id: z.string(), is_group: z.boolean().nullish() }),
  actor_handle: Handle.nullish(),
  background: z
    .object({
      type: z.enum(["color", "dynamic", "photo"]).or(z.literal("unknown")).catch("unknown"),
      variant: z.string().nullish(),
      style: z.enum(["sky", "water", "aurora", "glitter"]).nullish().catch(null),
      shades: z.tuple([z.string(), z.string()]).nullish(),
      image_url: z.string().nullish(),
    })
    .nullish(),
});

export const TypingData = z.object({ chat_id: z.string(), actor_handle: Handle.nullish() });

export const StatusData = z.object({ phone_number: z.string(), new_status: z.string() });

const pollShape = {
  message_id: z.string(),
  chat: z.object({ id: z.string(), is_group: z.boolean().nullish() }),
  direction: z.enum(["inbound", "outbound"]),
  service: Service,
  sender_handle: Handle.nullish(),
};

export const PollData = z.object({
  ...pollShape,
  poll: z.object({ options: z.array(Option) }).nullish(),
  received_at: Time,
  failed_at: Time,
  error: z.object({ code: z.int(), message: z.string() }).nullish(),
  ...timesShape,
});

export const AddedOptionsData = z.object({ ...pollShape, added_options: z.array(Option) });
export const VoteData = z.object({ ...pollShape, option_id: z.string() });

export const LocationData = z.object({
  shared_by: z.string(),
  shared_with: z.string(),
  began_at: z.string(),
  ends_at: Time,
  ended_at: Time,
  chat_id: z.string().nullish(),
});
