import { DetailsLoading } from "@/components/details/details-loading";

export default function Loading() {
  return <DetailsLoading title="Line" breadcrumbs={[{ label: "Lines", href: "/lines" }]} />;
}
