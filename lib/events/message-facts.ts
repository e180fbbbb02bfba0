import "server-only";
import { z } from "zod";
import { ChatHandle } from "@/lib/recipients/handles/chat-handle";

/**
 * What is kept of a message in its events: the facts of the moment. Both payload versions of contract.md 4.3 are
 * rendered from them at each delivery, so addresses in them (media, docs) are always fresh.
 */
export const MessageFacts = z.object({
  message: z.object({
    id: z.uuid(),
    is_from_me: z.boolean(),
    parts: z.array(z.record(z.string(), z.unknown())),
    effect: z.record(z.string(), z.unknown()).nullable(),
    reply_to: z.record(z.string(), z.unknown()).nullable(),
    idempotency_key: z.string().nullable(),
    preferred_service: z.string().nullable(),
    service: z.string().nullable(),
    created_at: z.string(),
    updated_at: z.string(),
    sent_at: z.string().nullable(),
    delivered_at: z.string().nullable(),
    read_at: z.string().nullable(),
    reconciled_at: z.string().nullable(),
  }),
  chat: z.object({
    id: z.uuid(),
    is_group: z.boolean(),
    health_status: z.enum(["HEALTHY", "AT_RISK", "CRITICAL", "OPTED_OUT"]),
    health_updated_at: z.string(),
  }),
  /** Our own line in the chat. */
  owner_handle: ChatHandle,
  sender_handle: ChatHandle,
  /** Only of message.failed. */
  failure: z.object({ code: z.int(), reason: z.string(), failed_at: z.string() }).optional(),
});

export type MessageFacts = z.infer<typeof MessageFacts>;
