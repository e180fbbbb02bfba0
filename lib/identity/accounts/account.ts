import "server-only";
import { z } from "zod";
import { ACCOUNT_COLORS, accountColor } from "@/lib/identity/accounts/account-color";
import type { RowOf } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_NAME = 60;

/** An account of the partner, as its people see it. */
export const Account = z
  .object({
    id: z.uuid(),
    name: z.string(),
    type: z.enum(["sandbox", "production"]),
    color: z.enum(ACCOUNT_COLORS),
    /** Tokens of an archived or expired account are rejected. */
    status: z.enum(["active", "archived", "expired"]),
    created_at: z.iso.datetime(),
    /** From when its tokens are rejected; null = never. */
    expires_at: z.iso.datetime().nullable(),
    /** null = the account is not archived. */
    archived_at: z.iso.datetime().nullable(),
  })
  .meta({ id: "Account" });

export type Account = z.infer<typeof Account>;

export const AccountName = z.string().trim().min(1, "enter a name for the account").check(maxUnits(MAX_NAME));

export const AccountParams = z.object({ accountId: z.uuid() });

export type AccountRow = RowOf<"lock-account">;

/** SQL: the columns of an `AccountRow`. */
export const ACCOUNT_COLUMNS = "id, partner_id, name, type, color, created_at, expires_at, archived_at";

/** Serializes an account. No other code does. */
export function toAccount(row: AccountRow, now: Date): Account {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    color: accountColor(row),
    status: statusOf(row, now),
    created_at: row.created_at.toISOString(),
    expires_at: row.expires_at?.toISOString() ?? null,
    archived_at: row.archived_at?.toISOString() ?? null,
  };
}

function statusOf({ archived_at, expires_at }: AccountRow, now: Date): Account["status"] {
  if (archived_at !== null) return "archived";
  return expires_at !== null && expires_at <= now ? "expired" : "active";
}
