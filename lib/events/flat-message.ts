import "server-only";
import { z } from "zod";
import {
  contentOf,
  contentShape,
  type MomentFacts,
  preferenceOf,
  preferenceShape,
  type Stage,
  timesOf,
  timesShape,
} from "@/lib/events/message-moment";
import { HealthStatus, toHealthStatus } from "@/lib/messaging/chats/chat";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/** `data` of the message events since version 2026-02-03 (contract.md 4.3). */
export const FlatMessage = z
  .object({
    id: z.uuid(),
    direction: z.enum(["inbound", "outbound"]),
    chat: z.object({
      id: z.uuid(),
      is_group: z.boolean(),
      owner_handle: ChatHandle,
      health_status: HealthStatus,
    }),
    sender_handle: ChatHandle,
    service: ServiceType,
    ...contentShape,
    ...preferenceShape,
    ...timesShape,
    /** When a late receipt or a recovery proved the message; absent otherwise. */
    reconciled_at: z.iso.datetime().optional(),
  })
  .meta({ id: "MessageEvent" });

/** message.sent repeats its id as `message_id`, as partner-api.md names it (contract.md 0). */
const FlatSent = FlatMessage.extend({ message_id: z.uuid() }).meta({ id: "MessageSentEvent" });

/** The format of each event of the current version. */
export const FLAT_FORMATS = {
  sent: {
    schema: FlatSent,
    render: (facts: MomentFacts) => ({ ...toFlatMessage(facts, "sent"), message_id: facts.message.id }),
  },
  received: { schema: FlatMessage, render: (facts: MomentFacts) => toFlatMessage(facts, "received") },
  delivered: { schema: FlatMessage, render: (facts: MomentFacts) => toFlatMessage(facts, "delivered") },
  read: { schema: FlatMessage, render: (facts: MomentFacts) => toFlatMessage(facts, "read") },
};

function toFlatMessage(facts: MomentFacts, stage: Stage): z.input<typeof FlatMessage> {
  const { message, chat } = facts;
  return {
    id: message.id,
    direction: message.is_from_me ? "outbound" : "inbound",
    chat: {
      id: chat.id,
      is_group: chat.is_group,
      owner_handle: facts.owner_handle,
      health_status: toHealthStatus(chat.health_status, new Date(chat.health_updated_at)),
    },
    sender_handle: facts.sender_handle,
    service: message.service ?? facts.owner_handle.service,
    ...contentOf(facts),
    ...preferenceOf(facts),
    ...timesOf(facts, stage),
    ...(message.reconciled_at === null
      ? {}
      : { reconciled_at: new Date(message.reconciled_at).toISOString() }),
  };
}
