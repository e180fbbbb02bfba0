import Link from "next/link";
import { JsonView } from "@/components/data/json-view";
import { FieldList, WithCode } from "@/components/docs/field-list";
import { GuideCode, guideLink } from "@/components/docs/guide-parts";
import { RequestTabs } from "@/components/docs/request-tabs";
import { Badge } from "@/components/ui/badge";
import type { DocumentedOperation } from "@/lib/docs/reference/documented-operations";

type OperationReferenceProps = {
  operation: DocumentedOperation;
  /** The slug of the operation's group. */
  group: string;
};

/** The reference of one API operation: summary, parameters, body and responses, with a request in each language. */
export function OperationReference({ operation, group }: OperationReferenceProps) {
  const { id, method, path, summary, description, parameters, body, answer } = operation;
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 border-t pt-6">
      <h2 id={id} className="font-semibold tracking-tight">
        {summary}
      </h2>
      <p className="flex flex-wrap items-center gap-2">
        <Badge variant="neutral">{method}</Badge>
        <GuideCode>{path}</GuideCode>
        <Link
          href={`/docs/explorer#tag/${group}/${id}`}
          prefetch={false}
          className={`${guideLink} ml-auto text-xs`}
        >
          Try it
        </Link>
      </p>
      <p className="text-pretty leading-relaxed">
        <WithCode text={description} />
      </p>
      <FieldList title="Parameters" fields={parameters} />
      {body !== null && <FieldList title="Request body" fields={body.fields} />}
      <RequestTabs label={`request of ${method} ${path}`} request={{ method, path, body: body?.example }} />
      {answer !== null && (
        <>
          <FieldList title={`Response ${answer.status}`} fields={answer.fields} />
          <JsonView
            value={answer.example}
            label={`example response of ${method} ${path}`}
            className="max-h-96"
          />
        </>
      )}
    </section>
  );
}
