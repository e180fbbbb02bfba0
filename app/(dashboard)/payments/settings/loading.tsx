import { PageHeader } from "@/components/data/page-header";
import { PaymentTabs } from "@/components/payments/payment-tabs";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody role="status" aria-label="Loading the payment settings">
      <PageHeader title="Payment settings" description={<Skeleton className="mt-1 h-4 w-80 max-w-full" />} />
      <PaymentTabs current="settings" />
      <div className="grid gap-6 lg:grid-cols-2">
        <Skeleton className="h-44 rounded-xl" />
        <Skeleton className="h-44 rounded-xl" />
      </div>
      <Skeleton className="h-96 rounded-xl" />
    </PageBody>
  );
}
