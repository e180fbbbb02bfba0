import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { secretBytes } from "@/lib/platform/ids";

/**
 * Hashes with argon2id and OWASP's first recommended parameters: 19 MiB, two passes, one lane. The result contains the
 * parameters.
 */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

let decoy: Promise<string> | undefined;

/** Whether the password matches the hash. Without a hash, takes the same time and returns false. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(secretBytes(16).toString("hex"));
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
