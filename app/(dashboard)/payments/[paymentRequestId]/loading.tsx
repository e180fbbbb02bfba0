import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return (
    <DetailsLoading
      title="Payment request"
      breadcrumbs={[{ label: "Payment requests", href: "/payments" }]}
    />
  );
}
