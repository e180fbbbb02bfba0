import "server-only";
import { z } from "zod";
import { DeliveryStatus } from "@/lib/messaging/messages/message";
import { ShownFile } from "@/lib/messaging/messages/stored-file";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/** A voice memo as a send answers it (contract.md 2.9). */
export const VoiceMemo = z
  .object({
    /** Of the message it is. */
    id: z.uuid(),
    chat: z.object({
      id: z.uuid(),
      handles: z.array(ChatHandle),
      is_active: z.boolean(),
      is_group: z.boolean(),
      service: ServiceType.nullable(),
    }),
    created_at: z.iso.datetime(),
    from: z.string(),
    to: z.array(z.string()),
    status: DeliveryStatus,
    service: ServiceType.nullable(),
    voice_memo: ShownFile.extend({
      /** null when the file does not tell. */
      duration_ms: z.int().nullable(),
    }),
  })
  .meta({ id: "VoiceMemo" });
