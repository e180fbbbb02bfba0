import { isPeriod, PERIODS } from "@/components/requests/request-filter";

/** How the payment requests are narrowed, as the address of the page has it. Absent = not by this. */
export interface PaymentFilter {
  /** A request's id, an id at the processor, or words of the description. */
  q?: string;
  status?: string;
  currency?: string;
  /** A period that ends now. */
  since?: string;
}

const FILTER_NAMES = ["q", "status", "currency", "since"] as const satisfies (keyof PaymentFilter)[];

/** The filter an address holds; what is repeated counts once. */
export function readPaymentFilter(query: Record<string, string | string[] | undefined>): PaymentFilter {
  const filter: PaymentFilter = {};
  for (const name of FILTER_NAMES) {
    const value = [query[name]].flat()[0]?.trim();
    if (value) filter[name] = value;
  }
  return filter;
}

/** The filter as GET /api/payment-requests takes it. */
export function toPaymentQuery({ since, ...same }: PaymentFilter, nowMs: number): Record<string, string> {
  const from = isPeriod(since) ? new Date(nowMs - PERIODS[since].ms).toISOString() : undefined;
  const query: Record<string, string> = {};
  for (const [name, value] of Object.entries({ ...same, from })) if (value !== undefined) query[name] = value;
  return query;
}
