import type { Metadata } from "next";
import { notFound } from "next/navigation";
import { JsonView } from "@/components/data/json-view";
import { PageHeader } from "@/components/data/page-header";
import { ErrorOccurrences } from "@/components/docs/error-occurrences";
import { Badge } from "@/components/ui/badge";
import {
  type DocumentedError,
  documentedError,
  documentedErrors,
} from "@/lib/platform/errors/error-guidance";
import { RETRY_SENTENCES } from "@/lib/platform/errors/guidance";

export const dynamicParams = false;

interface CodeParams {
  range: string;
  code: string;
}

type CodePageProps = { params: Promise<CodeParams> };

export function generateStaticParams(): CodeParams[] {
  return documentedErrors().map(({ code }) => ({ range: rangeOf(code), code: String(code) }));
}

export async function generateMetadata({ params }: CodePageProps): Promise<Metadata> {
  const error = documentedError(Number((await params).code));
  return { title: error && `${error.code} ${error.title}` };
}

export default async function ErrorCodePage({ params }: CodePageProps) {
  const { range, code } = await params;
  const error = documentedError(Number(code));
  if (error === undefined || rangeOf(error.code) !== range) notFound();
  return (
    <article className="flex max-w-3xl flex-col gap-7">
      <PageHeader
        title={`${error.code} ${error.title}`}
        status={error.statuses.map((status) => (
          <Badge key={status} variant="neutral" className="tabular-nums">
            HTTP {status}
          </Badge>
        ))}
        breadcrumbs={[
          { label: "Docs", href: "/docs" },
          { label: "Error codes", href: "/docs/error/codes" },
        ]}
      />
      <Section title="Cause" text={error.means} />
      <Section title="How to fix it" text={error.fix} />
      <Section title="Can I retry?" text={RETRY_SENTENCES[error.retry]} />
      <section className="flex flex-col gap-2">
        <h2 className="font-semibold tracking-tight">Example response</h2>
        <JsonView value={exampleOf(error)} label="example response" />
      </section>
      <ErrorOccurrences code={error.code} />
    </article>
  );
}

function Section({ title, text }: { title: string; text: string }) {
  return (
    <section className="flex flex-col gap-1.5">
      <h2 className="font-semibold tracking-tight">{title}</h2>
      <p className="text-pretty leading-relaxed">{text}</p>
    </section>
  );
}

function rangeOf(code: number): string {
  return `${String(code).slice(0, 1)}xxx`;
}

function exampleOf({ code, statuses, title }: DocumentedError) {
  return {
    success: false,
    error: {
      status: statuses[0],
      code,
      message: title,
      doc_url: `…/docs/error/codes/${rangeOf(code)}/${code}/`,
      ...(code === 1007 ? { retry_after: 12 } : {}),
    },
    trace_id: "4bf92f3577b34da6a3ce929d0e0e4736",
  };
}
