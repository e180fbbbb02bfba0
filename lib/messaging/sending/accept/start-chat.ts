import "server-only";
import type { FoundChat, Sender, SenderCriteria } from "@/lib/lines/senders/choose-sender";
import { failWithoutLine, recordLineUse } from "@/lib/lines/senders/pick-line";
import { openChat } from "@/lib/messaging/chats/open-chat";
import type { SentMessage } from "@/lib/messaging/messages/message";
import type { SendPlan } from "@/lib/messaging/scheduled/plan-send";
import { type SenderChoice, storeChoice } from "@/lib/messaging/sending/accept/sender-choice";
import type { PreparedContent } from "@/lib/messaging/sending/prepare-message";
import { RepeatedSend } from "@/lib/messaging/sending/repeated-send";
import { acceptPlanned } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import type { Sql } from "@/lib/platform/database/db";

/** A message for a chat that does not exist yet. */
interface Beginning {
  sender: Sender;
  prepared: PreparedContent;
  criteria: SenderCriteria;
  overrideOptout: boolean;
  plan: SendPlan;
}

/** An accepted message, in the chat it opened or in one that a concurrent request opened. */
export interface StartedChat {
  chatId: string;
  from: string;
  message: SentMessage;
  choice: SenderChoice;
}

/**
 * Accepts or schedules a message into a new chat on the chosen line, in the transaction that chose it, or into the chat that another
 * request has opened since the lookup. Throws RepeatedSend. Errors: parameter_invalid, state_conflict, and as
 * `SendMessage`.
 */
export async function startChat(tx: Sql, ctx: Context, beginning: Beginning): Promise<StartedChat> {
  const { sender, prepared, overrideOptout, plan } = beginning;
  if (sender.replayOf !== null) throw new RepeatedSend(sender.replayOf);
  const line = sender.chat?.line ?? sender.line ?? failWithoutLine(sender);
  const chatId = sender.chat?.id ?? (await openOn(line, tx, ctx, beginning));

  const sent = await acceptPlanned(ctx, { chatId, prepared, overrideOptout, plan }, tx);
  if (sent.replayOf !== null) throw new RepeatedSend(sent.replayOf);

  const choice = toChoice(sender);
  if (sender.chat === null) await storeChoice(tx, ctx.account.id, sent.message.id, choice);
  return { chatId, from: line.phoneNumber, message: sent.message, choice };
}

async function openOn(
  line: FoundChat["line"],
  tx: Sql,
  ctx: Context,
  { prepared, criteria }: Beginning,
): Promise<string> {
  const { id: accountId } = ctx.account;
  const service = prepared.content.preferred_service ?? line.lineType;
  const chat = {
    accountId,
    line,
    recipients: criteria.recipients,
    service,
    traceId: ctx.traceId,
    at: ctx.now,
  };
  await recordLineUse(tx, accountId, line.id);
  return (await openChat(tx, chat)).chatId;
}

function toChoice({ chat, flaggedChatId }: Sender): SenderChoice {
  if (chat !== null) return { reason: "reused_active_chat", previousChatId: null };
  const reason = flaggedChatId === null ? "new_best_number" : "failover_flagged";
  return { reason, previousChatId: flaggedChatId };
}
