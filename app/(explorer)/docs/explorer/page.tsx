import { DocsHeader } from "@/components/docs/docs-header";
import { Explorer } from "@/components/docs/explorer/explorer";
import { scalarUrl } from "@/lib/docs/reference/scalar-script";

export const metadata = { title: { absolute: "API explorer · Trunkline docs" } };

export default function ExplorerPage() {
  return (
    <>
      <DocsHeader />
      <Explorer scalarUrl={scalarUrl()} />
    </>
  );
}
