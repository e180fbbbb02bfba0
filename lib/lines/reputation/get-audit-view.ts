import "server-only";
import { z } from "zod";
import { GetAudit, getAudit } from "@/lib/lines/reputation/get-audit";
import { ReputationAudit } from "@/lib/lines/reputation/reputation-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";

/** A chat of the evidence, as people know it. */
const EvidenceChat = z.object({
  chat_id: z.uuid(),
  /** The handle of a direct chat; null for a group. */
  handle: z.string().nullable(),
  /** The name of a group; null for a direct chat and for a group without a name. */
  group_name: z.string().nullable(),
});

const AuditView = ReputationAudit.extend({ chats: z.array(EvidenceChat) });
export type AuditView = z.infer<typeof AuditView>;

export const GetAuditView = contract({
  ...GetAudit,
  summary: "Get a reputation audit with the recipients of its chats",
  returns: AuditView,
});

/** As `getAudit`, with the recipients of the chats of its evidence that still exist. Errors: as `GetAudit`. */
export async function getAuditView(
  ctx: Context,
  input: Pick<Input<typeof GetAudit>, "params">,
): Promise<AuditView> {
  const audit = await getAudit(ctx, input);
  const { unhealthy_chats = [], opt_out_chats = [] } = audit.report?.evidence ?? {};
  const ids = [...unhealthy_chats, ...opt_out_chats].map(({ chat_id }) => chat_id);
  const rows = await prisma().chat.findMany({
    where: { accountId: ctx.account.id, id: { in: [...new Set(ids)] } },
    select: { id: true, displayName: true, recipientHandle: true },
  });
  const chats = rows.map(({ id, displayName, recipientHandle }) => ({
    chat_id: id,
    handle: recipientHandle,
    group_name: recipientHandle === null ? displayName : null,
  }));
  return { ...audit, chats };
}
