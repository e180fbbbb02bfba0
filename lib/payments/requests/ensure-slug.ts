import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";

const RESERVED = new Set(["assets", "api"]);
const MAX_CHARACTERS = 40;

/** Converts a name to a URL slug: lowercase letters, digits, single hyphens. */
function toSlug(name: string): string {
  const plain = name.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
  const slug = plain
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, MAX_CHARACTERS)
    .replace(/^-+|-+$/g, "");
  return slug === "" || RESERVED.has(slug) ? "checkout" : slug;
}

const CHECKOUT_NAME = statement(
  "checkout-name",
  `select p.name, b.account_id is not null as branded
  from accounts a join partners p on p.id = a.partner_id
  left join checkout_brandings b on b.account_id = a.id where a.id = :accountId`,
);

const ENSURE_SLUG = plannedStatement(
  "ensure-slug",
  `insert into checkout_brandings (account_id, slug, name, updated_at) values (:accountId, :candidate, :accountName, :updatedAt)
  on conflict do nothing returning slug`,
);

/** Sets the account's checkout slug and name from its partner's name, unless they are set. */
export async function ensureSlug(tx: Sql, accountId: string, at: Date): Promise<void> {
  const [account] = await tx.run(CHECKOUT_NAME, { accountId });
  if (account === undefined || account.branded) return;
  const slug = toSlug(account.name);
  // The second slug is unique: accounts of one partner share its name.
  for (const candidate of [slug, `${slug}-${accountId.slice(-8)}`]) {
    const rows = await tx.run(ENSURE_SLUG, {
      accountId,
      candidate,
      accountName: account.name,
      updatedAt: at,
    });
    if (rows.length > 0) return;
  }
}
