import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return <DetailsLoading title="Customer" breadcrumbs={[]} />;
}
