import type { ReactNode } from "react";

export const guideLink = "underline underline-offset-4";

type GuideSectionProps = { id: string; title: string; children: ReactNode };

/** A part of a guide; others may link to its id. */
export function GuideSection({ id, title, children }: GuideSectionProps) {
  return (
    <section aria-labelledby={id} className="flex flex-col gap-3 border-t pt-6">
      <h2 id={id} className="font-semibold text-lg tracking-tight">
        {title}
      </h2>
      <div className="flex min-w-0 flex-col gap-3 text-pretty leading-relaxed">{children}</div>
    </section>
  );
}

type GuideListProps = { rows: readonly (readonly [name: string, text: ReactNode])[] };

/** Names with what is to be known of each. */
export function GuideList({ rows }: GuideListProps) {
  return (
    <dl className="divide-y rounded-xl border bg-card shadow-xs">
      {rows.map(([name, text]) => (
        <div key={name} className="flex flex-col gap-0.5 px-4 py-2.5">
          <dt className="font-medium">{name}</dt>
          <dd className="text-muted-foreground">{text}</dd>
        </div>
      ))}
    </dl>
  );
}

/** A name as it stands in a request or an answer. */
export function GuideCode({ children }: { children: ReactNode }) {
  return <code className="wrap-anywhere font-mono text-xs">{children}</code>;
}
