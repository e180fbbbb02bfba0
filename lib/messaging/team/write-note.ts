import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import { recordNotice } from "@/lib/identity/notices/record-notice";
import { ChatParams } from "@/lib/messaging/chats/chat";
import { throwNotFoundOrDenied } from "@/lib/messaging/chats/find-chat";
import { addTeamEntry } from "@/lib/messaging/team/team-entries";
import { requireMembers } from "@/lib/messaging/team/team-member";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { transaction } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_TEXT = 2000;
const MAX_MENTIONS = 10;

export const WriteNote = contract({
  summary: "Write an internal note about a chat",
  tag: "Chats",
  right: "send_messages",
  params: ChatParams,
  body: z.object({
    text: z.string().trim().min(1).check(maxUnits(MAX_TEXT)),
    /** People who get a notice. */
    mentions: z.array(z.uuid()).max(MAX_MENTIONS).default([]),
  }),
  returns: z.object({ id: z.uuid() }),
  status: 201,
  errors: ["chat_not_found", "access_denied", "parameter_invalid"],
});

const FIND_NOTED_CHAT = statement(
  "find-noted-chat",
  "select id, line_id from chats where account_id = :accountId and id = :chatId",
);

/**
 * Writes a note about a chat for the team. Each mentioned person gets a notice that only that person sees. Notes are
 * shown in the dashboard only: the partner API and webhooks never contain them. The audit log records that a note was
 * written, not its text. Errors: as `WriteNote`; parameter_invalid for a person outside the team.
 */
export async function writeNote(
  ctx: Context,
  { params, body }: Pick<Input<typeof WriteNote>, "params" | "body">,
): Promise<{ id: string }> {
  const mentions = [...new Set(body.mentions)];
  return transaction(async (tx) => {
    await requireMembers(tx, ctx, mentions);
    const [chat] = await tx.run(FIND_NOTED_CHAT, { accountId: ctx.account.id, chatId: params.chatId });
    if (chat === undefined) return throwNotFoundOrDenied(params.chatId);
    const id = await addTeamEntry(tx, ctx, { chat, kind: "note", body: body.text });
    await recordAudit(tx, ctx, "chat.note_written", "chat", chat.id, { note_id: id, mentions });
    const author = ctx.actor.type === "user" ? ctx.actor.name : "Trunkline";
    for (const userId of mentions) {
      await recordNotice(tx, {
        accountId: ctx.account.id,
        kind: "mention",
        severity: "info",
        title: `${author} mentioned you`,
        body: body.text,
        link: `/chats/${chat.id}`,
        objectId: chat.id,
        userId,
        at: ctx.now,
      });
    }
    return { id };
  });
}
