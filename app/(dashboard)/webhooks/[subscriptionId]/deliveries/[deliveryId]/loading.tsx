import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return <DetailsLoading title="Delivery" breadcrumbs={[{ label: "Webhooks", href: "/webhooks" }]} />;
}
