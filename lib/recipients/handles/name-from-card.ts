import "server-only";
import type { Sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { countryOf, normalizeSender } from "@/lib/platform/text/phone-handle";

const MAX_NAME = 100;

/** A received contact card: the name and the handles on it. */
interface NamedCard {
  first_name: string;
  last_name: string;
  handles: readonly string[];
}

const NAME_FROM_CARD = statement(
  "name-from-card",
  `insert into contacts as k (account_id, handle, name, name_source)
  select :accountId::uuid, :handle, :name, 'contact_card' from accounts a where a.id = :accountId and a.retention_minutes is null
  on conflict (account_id, handle) do update set name = excluded.name, name_source = excluded.name_source
    where k.name_source is distinct from 'person'`,
);

/**
 * Names a handle after its own contact card: one that contains the handle, also as a national number of the handle's
 * country, or no handle at all. The card of another person names no one. The last card counts, but a name that a person
 * typed stays, and accounts with a retention period take no names from messages.
 */
export async function nameFromCard(
  tx: Sql,
  { accountId, handle }: { accountId: string; handle: string },
  { first_name, last_name, handles }: NamedCard,
): Promise<void> {
  const name = [...`${first_name} ${last_name}`.trim()].slice(0, MAX_NAME).join("");
  if (name === "" || (handles.length > 0 && !hasHandle(handles, handle))) return;
  await tx.run(NAME_FROM_CARD, { accountId, handle, name });
}

// People store their own number as they dial it at home.
function hasHandle(written: readonly string[], handle: string): boolean {
  const country = countryOf(handle);
  return written.some((each) => each === handle || normalizeSender(each, country) === handle);
}
