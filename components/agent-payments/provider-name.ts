const NAMES: Readonly<Record<string, string>> = {
  servicecard: "Test cards",
  stripe_issuing: "Stripe Issuing",
};

/** The name that the dashboard shows for a card provider, or the identifier of a provider that is no longer installed. */
export function providerName(provider: string): string {
  return NAMES[provider] ?? provider;
}
