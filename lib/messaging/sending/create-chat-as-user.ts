import "server-only";
import { z } from "zod";
import { CreateChat } from "@/lib/messaging/sending/create-chat";
import { contract } from "@/lib/platform/contract";

/**
 * A first message by a person. Opt-outs can't be overridden here, only in the recipient's chat, which shows the
 * evidence.
 */
export const CreateChatAsUser = contract({
  ...CreateChat,
  summary: "Create a chat with its first message in the dashboard",
  body: CreateChat.body.extend({ override_optout: z.literal(false).default(false) }),
});
