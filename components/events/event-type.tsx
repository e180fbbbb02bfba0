import { Fragment } from "react";
import { cn } from "@/lib/cn";

const marks: [pattern: RegExp, className: string][] = [
  [/failed|declined|canceled|expired/, "bg-destructive-text"],
  [/received|created|added/, "bg-info"],
  [/delivered|read|succeeded/, "bg-success"],
];

/** An event's type with a colored dot. The dot carries no information of its own. Long types continue on a second line. */
export function EventType({ type }: { type: string }) {
  const mark = marks.find(([pattern]) => pattern.test(type))?.[1] ?? "bg-muted-foreground/60";
  return (
    <span className="inline-flex min-w-0 items-baseline gap-2">
      <span aria-hidden="true" className={cn("-translate-y-px size-1.5 shrink-0 rounded-full", mark)} />
      <span className="wrap-anywhere min-w-0 font-mono text-xs">
        {type.split(/(?<=[._])/).map((word) => (
          <Fragment key={word}>
            {word}
            <wbr />
          </Fragment>
        ))}
      </span>
    </span>
  );
}
