import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { AttachmentTier } from "@/lib/platform/prisma/enums";

const StoredTotal = z.object({ tier: z.enum(AttachmentTier), count: z.int(), size_bytes: z.int() });

export type StoredTotal = z.infer<typeof StoredTotal>;

export const TotalAttachments = contract({
  summary: "Get totals of stored files by tier",
  tag: "Attachments",
  right: "view_chats",
  returns: z.object({ totals: z.array(StoredTotal) }),
  status: 200,
  errors: [],
  extension: true,
});

const TOTAL_ATTACHMENTS = statement(
  "total-attachments",
  `select tier, sum(count)::int as "count!", sum(size_bytes)::text as "size_bytes!"
  from attachment_totals where account_id = :accountId group by attachment_totals.tier
  having sum(count) > 0 order by attachment_totals.tier`,
);

/** Reads the number and bytes of the complete files of each tier, from totals that are always current. */
export async function totalAttachments(ctx: Context): Promise<{ totals: StoredTotal[] }> {
  const rows = await sql.run(TOTAL_ATTACHMENTS, { accountId: ctx.account.id });
  return { totals: rows.map((row) => ({ ...row, size_bytes: Number(row.size_bytes) })) };
}
