import { DetailsLoading } from "@/components/details/details-loading";

export default function InstanceLoading() {
  return <DetailsLoading title="Instance" breadcrumbs={[]} />;
}
