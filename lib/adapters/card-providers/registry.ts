import "server-only";
import type { CardProvider, SandboxVault } from "@/lib/adapters/card-providers/card-provider";
import { servicecard } from "@/lib/adapters/card-providers/servicecard/servicecard";
import { vault } from "@/lib/adapters/card-providers/servicecard/vault";
import { stripeIssuing } from "@/lib/adapters/card-providers/stripe/stripe-issuing";

// A provider that must be connected takes precedence over one that is ready from the start.
const PROVIDERS: ReadonlyMap<string, CardProvider> = new Map(
  [stripeIssuing, servicecard].map((provider) => [provider.name, provider]),
);

/** Returns the provider with this name on the wire, or null when there is none. */
export function findCardProvider(name: string): CardProvider | null {
  return PROVIDERS.get(name) ?? null;
}

export function allCardProviders(): readonly CardProvider[] {
  return [...PROVIDERS.values()];
}

export const sandboxVault: SandboxVault = vault;
