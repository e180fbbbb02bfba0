import "server-only";

// Aliases that public programs use for names of this API (docs/contract.md, section 1.5). Requests accept them, and
// responses never contain them.
const EXPERIENCES: Readonly<Record<string, string>> = { agentpay: "servicepay", agentcard: "servicecard" };
const CARD_PROVIDERS: Readonly<Record<string, string>> = { agentcard: "servicecard" };

/** Returns the experience's canonical name for a name or one of its aliases. */
export function experienceNamed(name: string): string {
  return Object.hasOwn(EXPERIENCES, name) ? (EXPERIENCES[name] ?? name) : name;
}

/** Returns the card provider's canonical name for a name or one of its aliases. */
export function cardProviderNamed(name: string): string {
  return Object.hasOwn(CARD_PROVIDERS, name) ? (CARD_PROVIDERS[name] ?? name) : name;
}
