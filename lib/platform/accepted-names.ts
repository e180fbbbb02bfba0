import "server-only";

// Names by which public programs call what this API calls otherwise (contract.md 0). They are taken, and never answered.
const EXPERIENCES: Readonly<Record<string, string>> = { agentpay: "servicepay", agentcard: "servicecard" };
const CARD_PROVIDERS: Readonly<Record<string, string>> = { agentcard: "servicecard" };

/** The experience a name stands for: itself, or that of another spelling. */
export function experienceNamed(name: string): string {
  return Object.hasOwn(EXPERIENCES, name) ? (EXPERIENCES[name] ?? name) : name;
}

/** The card provider a name stands for: itself, or that of another spelling. */
export function cardProviderNamed(name: string): string {
  return Object.hasOwn(CARD_PROVIDERS, name) ? (CARD_PROVIDERS[name] ?? name) : name;
}
