import { PageHeader } from "@/components/data/page-header";
import { PaymentTable } from "@/components/payments/payment-table";
import { PaymentTabs } from "@/components/payments/payment-tabs";
import { PageBody } from "@/components/shell/page-body";
import { Skeleton } from "@/components/ui/skeleton";

export default function Loading() {
  return (
    <PageBody className="max-w-none" role="status" aria-label="Loading the payment requests">
      <PageHeader title="Payment requests" description={<Skeleton className="mt-1 h-4 w-96 max-w-full" />} />
      <PaymentTabs current="requests" />
      <Skeleton className="h-8.5 w-full max-w-3xl" />
      <PaymentTable requests={[]} loadingRows={8} />
    </PageBody>
  );
}
