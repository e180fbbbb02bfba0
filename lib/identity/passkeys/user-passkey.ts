import "server-only";
import { z } from "zod";
import type { Sql } from "@/lib/platform/database/db";
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

interface Row {
  id: string;
  name: string;
  is_synced: boolean;
  created_at: Date;
  last_used_at: Date | null;
}

/** All passkeys of a person, oldest first: at most MAX_PASSKEYS. */
export async function findPasskeys(on: Sql, userId: string): Promise<UserPasskey[]> {
  const rows = await on.query<Row>({
    name: "passkeys-of-user",
    text: `select id, name, is_synced, created_at, last_used_at from user_passkeys
           where user_id = $1 order by created_at, id limit ${MAX_PASSKEYS}`,
    values: [userId],
  });
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    last_used_at: row.last_used_at?.toISOString() ?? null,
  }));
}

/** A passkey as WebAuthn's options name it. */
interface PasskeyDescriptor {
  id: string;
  transports: ("ble" | "cable" | "hybrid" | "internal" | "nfc" | "smart-card" | "usb")[];
}

/** A person's passkeys for the options of a browser, which finds a device sooner by its transports. */
export function findDescriptors(on: Sql, userId: string): Promise<PasskeyDescriptor[]> {
  return on.query<PasskeyDescriptor>({
    name: "passkey-descriptors",
    text: `select id, transports from user_passkeys where user_id = $1
           order by created_at, id limit ${MAX_PASSKEYS}`,
    values: [userId],
  });
}

/** Locks a person's passkeys and password, so that changes of them run one after the other. */
export async function lockCredentials(
  on: Sql,
  userId: string,
): Promise<{ hasPassword: boolean; isProved: boolean }> {
  const [row] = await on.query<{ has_password: boolean; is_proved: boolean }>({
    name: "lock-credentials",
    text: `select password_hash is not null as has_password, address_proved_at is not null as is_proved
           from users where id = $1 for update`,
    values: [userId],
  });
  return { hasPassword: row?.has_password === true, isProved: row?.is_proved === true };
}

/** Removes all passkeys of a person. Returns their number. */
export async function deletePasskeys(tx: Sql, userId: string): Promise<number> {
  const removed = await tx.query({
    name: "remove-passkeys",
    text: "delete from user_passkeys where user_id = $1 returning 1",
    values: [userId],
  });
  return removed.length;
}
