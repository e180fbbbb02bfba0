import "server-only";
import { createHmac, randomBytes } from "node:crypto";
import { type SealContext, seal, unseal } from "@/lib/platform/crypto/crypto";
import type { Sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";

const PEPPER_BYTES = 32;

/** The seal context of an account's pepper. */
export function pepperContext(accountId: string): SealContext {
  return { purpose: "handle-pepper", row: { accountId, id: accountId } };
}

const ENSURE_PEPPER = plannedStatement(
  "ensure-pepper",
  `update accounts set handle_pepper = coalesce(handle_pepper, :fresh) where id = :accountId returning handle_pepper as "handle_pepper!"`,
);

/**
 * Returns the sealed secret of an account's hashes of handles, and creates it for the first erasure. Phone numbers are
 * few enough to try all, so a hash without a secret would reveal them.
 */
export async function ensurePepper(tx: Sql, accountId: string): Promise<Buffer> {
  const fresh = seal(randomBytes(PEPPER_BYTES).toString("base64"), pepperContext(accountId));
  const [row] = await tx.run(ENSURE_PEPPER, { accountId, fresh });
  if (row === undefined) throw new Error("the account was deleted");
  return row.handle_pepper;
}

/** The keyed hash of a handle in an account. Throws UnreadableSecret. */
export function hashHandle(accountId: string, pepper: Uint8Array, handle: string): Buffer {
  const key = Buffer.from(unseal(pepper, pepperContext(accountId)), "base64");
  return createHmac("sha256", key).update(handle).digest();
}
