import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";

/** As many labels as a page carries. Further lines are shown by their number. */
const MAX_LABELS = 500;

const LIST_LINE_LABELS = statement(
  "list-line-labels",
  `select phone_number, label as "label!" from lines
  where account_id = :accountId and released_at is null and label is not null
  order by phone_number limit ${MAX_LABELS}`,
);

/** The labels of the account's lines by their numbers. */
export async function listLineLabels(ctx: Context): Promise<Record<string, string>> {
  const rows = await sql.run(LIST_LINE_LABELS, { accountId: ctx.account.id });
  return Object.fromEntries(rows.map(({ phone_number, label }) => [phone_number, label]));
}
