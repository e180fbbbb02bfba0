import "server-only";
import type { Attempt } from "@/lib/adapters/processors/processor";

/** What each test card of the sandbox does. They are names, not numbers: no card number ever comes to this service. */
export const TEST_CARDS = {
  succeeds: { attempt: "paid" },
  declined: { attempt: "declined" },
  second_step: { attempt: "needs_step" },
  settles_late: { attempt: "processing" },
} as const satisfies Record<string, { attempt: Attempt }>;

type TestCard = keyof typeof TEST_CARDS;

/** How long a card that settles late takes. */
export const SETTLES_AFTER_SECONDS = 20;

export function isTestCard(name: string): name is TestCard {
  return Object.hasOwn(TEST_CARDS, name);
}
