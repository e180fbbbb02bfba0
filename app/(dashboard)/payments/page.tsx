import { ErrorNote } from "@/components/data/error-note";
import { PageHeader } from "@/components/data/page-header";
import { CreatePayment } from "@/components/payments/create-payment";
import { readPaymentFilter, toPaymentQuery } from "@/components/payments/payment-filter";
import { PaymentFilters } from "@/components/payments/payment-filters";
import { PaymentTabs } from "@/components/payments/payment-tabs";
import { PaymentsView } from "@/components/payments/payments-view";
import { PageBody } from "@/components/shell/page-body";
import { OFFERED_CURRENCIES } from "@/lib/payments/checkout/format-amount";
import {
  SearchPaymentRequests,
  searchPaymentRequests,
  totalPaymentRequests,
} from "@/lib/payments/requests/search-payment-requests";
import type { Context } from "@/lib/platform/context";
import { ApiError } from "@/lib/platform/errors";
import { minorDigits } from "@/lib/platform/minor-digits";
import { requireAccount } from "@/lib/runtime/dashboard/current-session";

export const metadata = { title: "Payment requests" };

type PaymentsPageProps = { searchParams: Promise<Record<string, string | string[] | undefined>> };

export default async function PaymentsPage({ searchParams }: PaymentsPageProps) {
  const { account, ctx, may } = await requireAccount("view_payments");
  const filter = readPaymentFilter(await searchParams);
  const query = toPaymentQuery(filter, ctx.now.getTime());
  const [found, everything] = await Promise.all([
    search(ctx, query),
    totalPaymentRequests(ctx, { query: {} }),
  ]);
  const create = may("request_payments") ? (
    <CreatePayment currencies={OFFERED_CURRENCIES.map((code) => ({ code, digits: minorDigits(code) }))} />
  ) : undefined;

  return (
    <PageBody className="max-w-none">
      <PageHeader
        title="Payment requests"
        description="Links by which customers pay you. The money goes to your own account at the card processor."
        actions={create}
      />
      <PaymentTabs current="requests" />
      <PaymentFilters filter={filter} currencies={everything.totals.map(({ currency }) => currency)} />
      {found instanceof ApiError ? (
        <ErrorNote title="This search is not possible" code={found.row.code}>
          {found.message}
        </ErrorNote>
      ) : (
        <PaymentsView
          key={`${account.id} ${JSON.stringify(filter)}`}
          initial={found}
          totals={found.totals}
          query={query}
          create={create}
        />
      )}
    </PageBody>
  );
}

// Whoever edits the address may ask for what cannot be: the page says so, and its filters stay.
async function search(ctx: Context, asked: Record<string, string>) {
  const query = SearchPaymentRequests.query.safeParse(asked);
  if (!query.success) return new ApiError("parameter_invalid", query.error.issues[0]?.message);
  const { data } = query;
  try {
    const [page, { totals }] = await Promise.all([
      searchPaymentRequests(ctx, { query: data }),
      totalPaymentRequests(ctx, { query: data }),
    ]);
    return { ...page, totals };
  } catch (error) {
    if (error instanceof ApiError) return error;
    throw error;
  }
}
