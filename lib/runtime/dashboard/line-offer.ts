import "server-only";
import { allTransports } from "@/lib/adapters/transports/registry";
import type { AccountRef } from "@/lib/platform/context";
import { env } from "@/lib/platform/env";
import type { Right } from "@/lib/platform/rights/right";
import { LINE_KINDS } from "@/lib/simulator/lines/line-kinds";

/** The lines that a user may add: simulated ones in a sandbox, and those of real transports if the user is an operator. */
export function lineOfferFor({ type }: Pick<AccountRef, "type">, may: (right: Right) => boolean) {
  const simulates = type === "sandbox" && env().SIMULATOR && may("add_simulated_lines");
  const kinds = Object.entries(LINE_KINDS).map(([name, { effect }]) => ({
    name,
    effect: toSentence(effect),
  }));
  const transports = allTransports().filter(({ sandboxOnly }) => sandboxOnly !== true);
  return {
    kinds: simulates ? kinds : [],
    transports: may("assign_lines") ? transports.map(({ name, label = name }) => ({ name, label })) : [],
  };
}

function toSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
