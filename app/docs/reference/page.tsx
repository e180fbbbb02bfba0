import Link from "next/link";
import { PageHeader } from "@/components/data/page-header";
import { referenceGroups } from "@/lib/docs/reference/api-reference";

export const metadata = { title: "API reference" };

export default function ReferencePage() {
  return (
    <div className="flex max-w-3xl flex-col gap-6">
      <PageHeader
        title="API reference"
        description="Every operation with its parameters, its fields and an example."
        breadcrumbs={[{ label: "Docs", href: "/docs" }]}
      />
      <p className="leading-relaxed">
        For your tools, the same as an OpenAPI document:{" "}
        <a href="/docs/openapi.json" className="underline underline-offset-4">
          openapi.json
        </a>
        .
      </p>
      <ul className="divide-y rounded-xl border bg-card shadow-xs">
        {referenceGroups().map(({ slug, name, description, operations }) => (
          <li key={slug}>
            <Link
              href={`/docs/reference/${slug}`}
              className="flex flex-col gap-0.5 px-4 py-3.5 hover:bg-muted/70"
            >
              <span className="font-medium">{name}</span>
              <span className="text-muted-foreground leading-relaxed">
                {description} {operations.length} {operations.length === 1 ? "operation" : "operations"}.
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </div>
  );
}
