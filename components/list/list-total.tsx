import { type ListNoun, type ShownRows, totalText } from "@/lib/client/total-text";

type ListTotalProps = ShownRows & { noun: ListNoun };

/** How many rows match the filters of a list. */
export function ListTotal({ noun, rows, hasMore, total }: ListTotalProps) {
  return (
    <p aria-live="polite" className="text-muted-foreground text-xs tabular-nums">
      {totalText(noun, { rows, hasMore, total })}
    </p>
  );
}
