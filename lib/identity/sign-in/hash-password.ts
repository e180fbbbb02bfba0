import "server-only";
import { hash, verify } from "@node-rs/argon2";
import { HASH_CONCURRENCY } from "@/lib/identity/sign-in/attempt-slots";
import { secretBytes } from "@/lib/platform/ids";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";

const shared = globalThis as typeof globalThis & { trunklineHashing?: FairSlots };

/** Computes a hash when fewer than HASH_CONCURRENCY are computed in this process. */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  shared.trunklineHashing ??= new FairSlots({
    total: HASH_CONCURRENCY,
    perOwner: HASH_CONCURRENCY,
    waitingPerOwner: Number.POSITIVE_INFINITY,
  });
  return shared.trunklineHashing.run("", work);
}

/**
 * Hashes with argon2id and OWASP's first recommended parameters: 19 MiB, two passes, one lane. The result contains the
 * parameters.
 */
export function hashPassword(password: string): Promise<string> {
  return inTurn(() => hash(password, { memoryCost: 19_456, timeCost: 2, parallelism: 1 }));
}

let decoy: Promise<string> | undefined;

/** Whether the password matches the hash. Without a hash, takes the same time and returns false. */
export async function verifyPassword(passwordHash: string | null, password: string): Promise<boolean> {
  decoy ??= hashPassword(secretBytes(16).toString("hex"));
  const compared = passwordHash ?? (await decoy);
  const matches = await inTurn(() => verify(compared, password));
  return matches && passwordHash !== null;
}
