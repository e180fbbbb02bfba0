import type { Metadata } from "next";
import Link from "next/link";
import { notFound } from "next/navigation";
import { PageHeader } from "@/components/data/page-header";
import { OnThisPage } from "@/components/docs/on-this-page";
import { OperationReference } from "@/components/docs/operation-reference";
import { type ReferenceGroup, referenceGroups } from "@/lib/docs/reference/api-reference";

type GroupPageProps = { params: Promise<{ group: string }> };

export const dynamicParams = false;

export function generateStaticParams() {
  return referenceGroups().map(({ slug }) => ({ group: slug }));
}

export async function generateMetadata({ params }: GroupPageProps): Promise<Metadata> {
  return { title: `${(await knownGroup(params)).name} reference` };
}

export default async function ReferenceGroupPage({ params }: GroupPageProps) {
  const { slug, name, description, operations } = await knownGroup(params);
  return (
    <div className="flex gap-10">
      <article className="flex min-w-0 max-w-3xl flex-1 flex-col gap-8">
        <PageHeader
          title={name}
          description={
            slug === "webhooks" ? (
              <>
                {description}{" "}
                <Link href="/docs/guides/receive-events" className="underline underline-offset-4">
                  Compare delivery methods
                </Link>
              </>
            ) : (
              description
            )
          }
          breadcrumbs={[
            { label: "Docs", href: "/docs" },
            { label: "API reference", href: "/docs/reference" },
          ]}
        />
        {operations.map((operation) => (
          <OperationReference key={operation.id} operation={operation} group={slug} />
        ))}
      </article>
      <OnThisPage headings={operations.map(({ id, summary: text }) => ({ id, text }))} />
    </div>
  );
}

async function knownGroup(params: GroupPageProps["params"]): Promise<ReferenceGroup> {
  const { group } = await params;
  return referenceGroups().find(({ slug }) => slug === group) ?? notFound();
}
