import "server-only";
import { chooseSender } from "@/lib/lines/senders/choose-sender";
import { failWithoutLine } from "@/lib/lines/senders/pick-line";
import { SEND_NOW } from "@/lib/messaging/scheduled/plan-send";
import { dueTimeOf } from "@/lib/messaging/scheduled/send-at";
import { startChat } from "@/lib/messaging/sending/accept/start-chat";
import { DryRun, DryRunQuery, type DryRunSubject, dryRun } from "@/lib/messaging/sending/dry-run";
import { RepeatedSend } from "@/lib/messaging/sending/repeated-send";
import {
  SendFromBestLine,
  toContinuation,
  toCriteria,
  toSend,
} from "@/lib/messaging/sending/send-from-best-line";
import { acceptContent } from "@/lib/messaging/sending/send-message";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";

export const TrySendFromBestLine = contract({
  ...SendFromBestLine,
  summary: "Dry run of a message from the best line",
  description: "Runs every check of a send from the best line without sending.",
  query: DryRunQuery,
  returns: DryRun,
  status: 200,
});

/** The dry run of a message without a named line. Errors: parameter_invalid, state_conflict (no line can send). */
export async function trySendFromBestLine(ctx: Context, input: Input<typeof TrySendFromBestLine>) {
  const send = toSend(input);
  dueTimeOf(ctx, input.body.send_at);
  const criteria = toCriteria(ctx, send);
  const { override_optout: overrideOptout } = send;
  const found = await chooseSender(sql, criteria);
  const { chat, line, flaggedChatId } = found;
  if (chat !== null) {
    return dryRun(ctx, {
      content: send.message,
      target: { chatId: chat.id },
      when: send,
      accept: (tx, prepared) => acceptContent(ctx, chat.id, prepared, overrideOptout, tx),
    });
  }
  if (line === null) return failWithoutLine(found);

  const accept: DryRunSubject["accept"] = async (tx, prepared) => {
    const sender = await chooseSender(tx, criteria);
    const { message } = await startChat(tx, ctx, {
      sender,
      prepared,
      criteria,
      overrideOptout,
      plan: SEND_NOW,
    });
    return { replayOf: null, message };
  };
  return dryRun(ctx, {
    content: flaggedChatId === null ? send.message : toContinuation(send),
    target: { lineId: line.id, recipients: criteria.recipients },
    when: send,
    accept: (tx, prepared) => accept(tx, prepared).catch(toRepeated),
  });
}

function toRepeated(error: unknown): { replayOf: string } {
  if (error instanceof RepeatedSend) return { replayOf: error.messageId };
  throw error;
}
