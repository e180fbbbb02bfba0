import { GuideCode } from "@/components/docs/guide-parts";
import type { DocumentedField } from "@/lib/docs/reference/fields-of";

type FieldListProps = { title: string; fields: readonly DocumentedField[] };

/** The fields of a body or query with their types and descriptions; null without fields. */
export function FieldList({ title, fields }: FieldListProps) {
  if (fields.length === 0) return null;
  return (
    <div className="flex flex-col gap-1.5">
      <h3 className="font-medium text-sm">{title}</h3>
      <dl className="divide-y rounded-xl border bg-card shadow-xs">
        {fields.map(({ name, type, isRequired, description, condition }) => (
          <div key={`${name} ${condition}`} className="flex flex-col gap-0.5 px-4 py-2.5">
            <dt className="flex flex-wrap items-baseline gap-x-2">
              <GuideCode>{name}</GuideCode>
              <span className="wrap-anywhere text-muted-foreground text-xs">
                {type}
                {isRequired ? ", required" : ""}
              </span>
              {condition !== undefined && (
                <span className="text-muted-foreground text-xs">
                  when <WithCode text={condition} />
                </span>
              )}
            </dt>
            <dd className="text-muted-foreground leading-relaxed">
              <WithCode text={description} />
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** A description from the contract. Text in backticks is shown as code. */
export function WithCode({ text }: { text: string }) {
  return (
    text
      .split("`")
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a text have no other identity
      .map((piece, index) => (index % 2 === 1 ? <GuideCode key={index}>{piece}</GuideCode> : piece))
  );
}
