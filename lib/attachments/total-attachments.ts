import "server-only";
import { z } from "zod";
import { boundedSearch } from "@/lib/platform/bounded-search";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { AttachmentTier } from "@/lib/platform/prisma/enums";

const TIMEOUT_MS = 3000;

const StoredTotal = z.object({ tier: z.enum(AttachmentTier), count: z.int(), size_bytes: z.int() });

export type StoredTotal = z.infer<typeof StoredTotal>;

export const TotalAttachments = contract({
  summary: "Get totals of stored files by tier",
  tag: "Attachments",
  right: "view_chats",
  returns: z.object({ totals: z.array(StoredTotal) }),
  status: 200,
  errors: ["parameter_invalid"],
  extension: true,
});

/** Counts the stored files of each tier and their bytes. Errors: parameter_invalid, when counting takes too long. */
export async function totalAttachments(ctx: Context): Promise<{ totals: StoredTotal[] }> {
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.query<{ tier: AttachmentTier; count: number; size_bytes: string }>({
      text: `select tier::text as tier, count(*)::int as count, sum(size_bytes)::text as size_bytes
             from attachments where account_id = $1 and status = 'complete' group by tier order by tier`,
      values: [ctx.account.id],
    }),
  );
  return { totals: rows.map((row) => ({ ...row, size_bytes: Number(row.size_bytes) })) };
}
