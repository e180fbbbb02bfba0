import "server-only";
import { z } from "zod";
import { HealthStatus } from "@/lib/messaging/chats/chat";
import { SentMessage } from "@/lib/messaging/messages/message";
import type { Context } from "@/lib/platform/context";
import { prisma, type Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { ChatHandle, LineType, ServiceType } from "@/lib/recipients/handles/chat-handle";

const Reason = z.enum(["reused_active_chat", "new_best_number", "failover_flagged"]);

/** Why a line was chosen for a message, and the earlier chat on a line that could not send. */
export interface SenderChoice {
  reason: z.infer<typeof Reason>;
  previousChatId: string | null;
}

/** The response to a send without a sender (docs/contract.md, section 7.3). */
export const SentFromChoice = z
  .object({
    chat_id: z.uuid().describe("ID of the chat of the message."),
    created_new_chat: z.boolean().describe("`true` if a new chat was created."),
    from: z
      .string()
      .meta({ description: "The line that sends the message, in E.164 format.", examples: ["+12025550100"] }),
    from_selection: z
      .object({
        reason: Reason.describe(
          "`reused_active_chat`: an existing chat on a line that can send. `new_best_number`: a new chat on the best available line. `failover_flagged`: the line of the existing chat cannot send, so a new chat started on another line.",
        ),
        reused_existing_chat: z.boolean().describe("`true` if an existing chat was used."),
      })
      .describe("How the line was selected."),
    handles: z.array(ChatHandle).describe("Participants of the chat, including your line."),
    health_status: HealthStatus,
    is_group: z.boolean().describe("`true` if the chat is a group, that is, has more than one recipient."),
    line_type: LineType,
    message: SentMessage.describe("The accepted message."),
    previous_chat_id: z
      .uuid()
      .nullable()
      .meta({
        description:
          "ID of the chat on the line that cannot send if `reason` is `failover_flagged`; `null` otherwise.",
        examples: [null],
      }),
    service: ServiceType.describe("Service of the chat."),
  })
  .meta({ id: "MessageCreateResponse", description: "An accepted message with the line it is sent from." });

/** The response fields that describe the choice. */
export function toChoiceFields({ reason, previousChatId }: SenderChoice) {
  const isReused = reason === "reused_active_chat";
  return {
    created_new_chat: !isReused,
    from_selection: { reason, reused_existing_chat: isReused },
    previous_chat_id: previousChatId,
  };
}

const STORE_SENDER_CHOICE = statement(
  "store-sender-choice",
  `insert into sender_choices (account_id, message_id, reason, previous_chat_id) values (:accountId, :messageId, :reason, :previousChatId)`,
);

/** Stores the choice of a message that opened a chat, for requests that repeat its idempotency key. */
export async function storeChoice(
  tx: Sql,
  accountId: string,
  messageId: string,
  { reason, previousChatId }: SenderChoice,
): Promise<void> {
  await tx.run(STORE_SENDER_CHOICE, { accountId, messageId, reason, previousChatId });
}

/** Returns the choice of an earlier message. Without a stored choice, the message reused a chat. */
export async function findChoice(ctx: Context, messageId: string): Promise<SenderChoice> {
  const kept = await prisma().senderChoice.findUnique({
    where: { accountId_messageId: { accountId: ctx.account.id, messageId } },
  });
  if (kept === null) return { reason: "reused_active_chat", previousChatId: null };
  return { reason: Reason.parse(kept.reason), previousChatId: kept.previousChatId };
}
