import { createHash, randomBytes } from "node:crypto";
import { z } from "zod";
import { SECRET_BYTES, toSigningSecret } from "@/lib/webhooks/signing/sign-webhook";
import { RUN_PREFIX } from "@/scripts/cli/listen/open-consumer";
import { readPrivate, writePrivate } from "@/scripts/cli/settings";

const Secret = z.object({ secret: z.string().startsWith("whsec_") });
const Position = z.object({ after: z.int().nonnegative() });
const ConsumerName = z.object({ consumer: z.string() });

/** The account's signing secret of `trunkline listen`, the same in every run on this machine. */
export function listenSecret(accountId: string): string {
  const file = `listen/${accountId}.json`;
  const { data } = Secret.safeParse(readPrivate(file));
  if (data !== undefined) return data.secret;
  const secret = toSigningSecret(randomBytes(SECRET_BYTES));
  writePrivate(file, { secret });
  return secret;
}

/** The events and the target of a run. Runs with the same values continue each other. */
export interface Listened {
  accountId: string;
  forwardTo: string;
  filters: Readonly<Record<string, string | undefined>>;
}

/** The number of the last event that an earlier run posted; undefined for the first run. */
export function lastPosition(listened: Listened): number | undefined {
  return Position.safeParse(readPrivate(fileOf(listened))).data?.after;
}

export function savePosition(listened: Listened, after: number): void {
  const consumer = savedConsumer(listened);
  writePrivate(fileOf(listened), { forward_to: listened.forwardTo, after, consumer });
}

/** The name of the consumer for these events and this target, the same in every run and on no other machine. */
export function consumerName(listened: Listened): string {
  const saved = savedConsumer(listened);
  if (saved !== undefined) return saved;
  const consumer = `${RUN_PREFIX}${randomBytes(8).toString("hex")}`;
  // Before the consumer exists, so that a run that is killed leaves none that no run finds.
  writePrivate(fileOf(listened), { forward_to: listened.forwardTo, after: lastPosition(listened), consumer });
  return consumer;
}

function savedConsumer(listened: Listened): string | undefined {
  return ConsumerName.safeParse(readPrivate(fileOf(listened))).data?.consumer;
}

function fileOf({ accountId, forwardTo, filters }: Listened): string {
  const key = createHash("sha256")
    .update(JSON.stringify([forwardTo, filters]))
    .digest("hex")
    .slice(0, 16);
  return `listen/${accountId}-${key}.json`;
}
