import "server-only";
import { z } from "zod";
import { EXAMPLE_CHAT_ID } from "@/lib/events/example-facts";
import { plainPayload } from "@/lib/events/payload";

const Typing = z.object({ chat_id: z.uuid() }).meta({ id: "ChatTypingEvent" });

/** `data` of chat.typing_indicator.started and stopped (contract.md 4.3). */
export const typingPayload = plainPayload(Typing, { chat_id: EXAMPLE_CHAT_ID });
