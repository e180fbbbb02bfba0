import { ListPage } from "@/components/list/list-page";
import { PaymentList } from "@/components/payments/payment-list";
import { PaymentTabs } from "@/components/payments/payment-tabs";

export default function Loading() {
  return (
    <ListPage title="Payment requests" tabs={<PaymentTabs current="requests" />}>
      <PaymentList />
    </ListPage>
  );
}
