import "server-only";
import { z } from "zod";
import type { Sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import { maxUnits } from "@/lib/platform/text/max-units";

/** Passkeys that one person can have. */
export const MAX_PASSKEYS = 20;

export const PasskeyName = z.string().trim().min(1, "enter a name").check(maxUnits(80));

/** A passkey with which a person signs in to the dashboard. */
export const UserPasskey = z.object({
  id: z.string(),
  name: z.string(),
  /** Whether the passkey is backed up, for example in a password manager, so that it outlives its device. */
  is_synced: z.boolean(),
  created_at: z.iso.datetime(),
  last_used_at: z.iso.datetime().nullable(),
});

export type UserPasskey = z.infer<typeof UserPasskey>;

export const PasskeyParams = z.object({ passkeyId: z.string().check(maxUnits(1400)) });

const PASSKEYS_OF_USER = statement(
  "passkeys-of-user",
  `select id, name, is_synced, created_at, last_used_at from user_passkeys
  where user_id = :userId order by created_at, id limit ${MAX_PASSKEYS}`,
);

/** All passkeys of a person, oldest first: at most MAX_PASSKEYS. */
export async function findPasskeys(on: Sql, userId: string): Promise<UserPasskey[]> {
  const rows = await on.run(PASSKEYS_OF_USER, { userId });
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }));
}

/** A passkey as WebAuthn's options name it. */
type PasskeyDescriptor = RowOf<"passkey-descriptors">;

const PASSKEY_DESCRIPTORS = statement(
  "passkey-descriptors",
  `select id, transports from user_passkeys where user_id = :userId
  order by created_at, id limit ${MAX_PASSKEYS}`,
);

/** A person's passkeys for the options of a browser, which finds a device sooner by its transports. */
export function findDescriptors(on: Sql, userId: string): Promise<PasskeyDescriptor[]> {
  return on.run(PASSKEY_DESCRIPTORS, { userId });
}

const LOCK_CREDENTIALS = statement(
  "lock-credentials",
  `select password_hash is not null as has_password, address_proved_at is not null as is_proved
  from users where id = :userId for update`,
);

/** Locks a person's passkeys and password, so that changes of them run one after the other. */
export async function lockCredentials(
  on: Sql,
  userId: string,
): Promise<{ hasPassword: boolean; isProved: boolean }> {
  const [row] = await on.run(LOCK_CREDENTIALS, { userId });
  return { hasPassword: row?.has_password === true, isProved: row?.is_proved === true };
}

const REMOVE_PASSKEYS = statement(
  "remove-passkeys",
  "delete from user_passkeys where user_id = :userId returning 1",
);

/** Removes all passkeys of a person. Returns their number. */
export async function deletePasskeys(tx: Sql, userId: string): Promise<number> {
  const removed = await tx.run(REMOVE_PASSKEYS, { userId });
  return removed.length;
}
