import { DocsHeader } from "@/components/docs/docs-header";
import { Explorer } from "@/components/docs/explorer/explorer";
import { scalarUrl } from "@/lib/runtime/docs/scalar-script";

export const metadata = { title: { absolute: "API explorer · Trunkline docs" } };

export default function ExplorerPage() {
  return (
    <>
      <DocsHeader />
      <main>
        <h1 className="sr-only">API explorer</h1>
        <Explorer scalarUrl={scalarUrl()} />
      </main>
    </>
  );
}
