import "server-only";
import type { Sql } from "@/lib/platform/database/db";

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

/** Sets the account's checkout slug and name from its partner's name, unless they are set. */
export async function ensureSlug(tx: Sql, accountId: string, at: Date): Promise<void> {
  const [account] = await tx.query<{ name: string; branded: boolean }>({
    name: "checkout-name",
    text: `select p.name, b.account_id is not null as branded
           from accounts a join partners p on p.id = a.partner_id
           left join checkout_brandings b on b.account_id = a.id where a.id = $1`,
    values: [accountId],
  });
  if (account === undefined || account.branded) return;
  const slug = toSlug(account.name);
  // The second slug is unique: accounts of one partner share its name.
  for (const candidate of [slug, `${slug}-${accountId.slice(-8)}`]) {
    const rows = await tx.query({
      text: `insert into checkout_brandings (account_id, slug, name, updated_at) values ($1, $2, $3, $4)
             on conflict do nothing returning slug`,
      values: [accountId, candidate, account.name, at],
    });
    if (rows.length > 0) return;
  }
}
