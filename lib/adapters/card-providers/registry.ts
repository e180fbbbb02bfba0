import "server-only";
import type { CardProvider, SandboxVault } from "@/lib/adapters/card-providers/card-provider";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { vault } from "@/lib/adapters/card-providers/servicecard/vault";
import { stripeIssuing } from "@/lib/adapters/card-providers/stripe/stripe-issuing";

// One that was connected comes before the one that is there from the start.
const PROVIDERS: ReadonlyMap<string, CardProvider> = new Map(
  [stripeIssuing, servicecard].map((provider) => [provider.name, provider]),
);

/** The provider of a name on the wire; null when there is none. */
export function findCardProvider(name: string): CardProvider | null {
  return PROVIDERS.get(name) ?? null;
}

export function allCardProviders(): readonly CardProvider[] {
  return [...PROVIDERS.values()];
}

export const sandboxVault: SandboxVault = vault;
