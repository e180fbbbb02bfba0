import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { secretBytes } from "@/lib/platform/ids";

/** argon2id with OWASP's first choice of cost: 19 MiB, two passes, one lane. The result carries its parameters. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });
}

let decoy: Promise<string> | undefined;

/** Whether the password is the one hashed. Without a hash it does the same work and says no. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(secretBytes(16).toString("hex"));
  const matches = await verify(passwordHash ?? (await decoy), password);
  return matches && passwordHash !== null;
}
