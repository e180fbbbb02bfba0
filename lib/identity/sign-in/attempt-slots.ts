import "server-only";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { clientNetwork } from "@/lib/platform/http/client-address";
import { requestClient } from "@/lib/platform/http/request-client";
import { FairSlots } from "@/lib/platform/tasks/fair-slots";

/** Password hashes that this process computes at once. They take turns on libuv's four threads, which files need too. */
export const HASH_CONCURRENCY = Math.min(2, Math.max(1, Math.floor(availableParallelism() / 4)));

const MAX_WAITING = 300;
const MAX_WAITING_PER_CLIENT = 100;
/** Time that an attempt keeps its slot at least: 20 attempts per second and slot. */
const LEAST_MS = 50;

const shared = globalThis as typeof globalThis & { trunklineAttempts?: FairSlots };

function slots(): FairSlots {
  shared.trunklineAttempts ??= new FairSlots({
    total: HASH_CONCURRENCY,
    perOwner: HASH_CONCURRENCY,
    waitingPerOwner: MAX_WAITING_PER_CLIENT,
    waiting: MAX_WAITING,
  });
  return shared.trunklineAttempts;
}

/**
 * Runs one check of credentials, or one request for a password reset, when the process has a slot for it. Clients take
 * turns, so that a flood of attempts delays other people's attempts little and other requests not at all: at most
 * HASH_CONCURRENCY attempts use the database and the processor at a time. Errors: rate_limited if too many attempts wait.
 */
export function inAttemptSlot<Result>(work: () => Promise<Result>): Promise<Result> {
  const { address } = requestClient();
  return slots().run(address === null ? "unknown" : clientNetwork(address), async () => {
    const [outcome] = await Promise.allSettled([work(), sleep(LEAST_MS)]);
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  });
}
