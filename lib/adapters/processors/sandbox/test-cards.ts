import "server-only";
import type { Attempt } from "@/lib/adapters/processors/processor";

/** The result of each of the sandbox's test cards. Cards have names, because no card number may reach Trunkline. */
export const TEST_CARDS = {
  succeeds: { attempt: "paid" },
  declined: { attempt: "declined" },
  second_step: { attempt: "needs_step" },
  settles_late: { attempt: "processing" },
} as const satisfies Record<string, { attempt: Attempt }>;

type TestCard = keyof typeof TEST_CARDS;

/** Settlement time of the card that settles late, in seconds. */
export const SETTLEMENT_SECONDS = 20;

export function isTestCard(name: string): name is TestCard {
  return Object.hasOwn(TEST_CARDS, name);
}
