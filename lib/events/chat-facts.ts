import "server-only";
import { z } from "zod";
import { ChatHandle, ServiceType } from "@/lib/recipients/handles/chat-handle";

/** What is kept of a chat in its chat.created event; both payload versions are rendered from it (contract.md 4.3). */
export const ChatFacts = z.object({
  id: z.uuid(),
  display_name: z.string().nullable(),
  service: ServiceType.nullable(),
  handles: z.array(ChatHandle),
  is_group: z.boolean(),
  health_status: z.enum(["HEALTHY", "AT_RISK", "CRITICAL", "OPTED_OUT"]),
  health_updated_at: z.string(),
  created_at: z.string(),
  updated_at: z.string(),
});

export type ChatFacts = z.infer<typeof ChatFacts>;
