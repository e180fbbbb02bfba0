import type { FilterOption } from "@/lib/client/filters";

type NamedLine = { label?: string | undefined; phone_number: string };

/** A line in plain text: its label, if it has one, and its number. */
export function lineText({ label, phone_number }: NamedLine): string {
  return label === undefined ? phone_number : `${label} (${phone_number})`;
}

/** Lines as options of a select, in the order of labels or numbers. The value is the line's `by`. */
export function lineChoices(
  lines: readonly (NamedLine & { id: string })[],
  by: "id" | "phone_number" = "id",
): FilterOption[] {
  return lines.toSorted(compareLines).map((line) => ({ value: line[by], label: lineText(line) }));
}

/** The order of lines in lists and choosers: by label or number. */
export function compareLines(one: NamedLine, other: NamedLine): number {
  const by = (one.label ?? one.phone_number).localeCompare(other.label ?? other.phone_number, "en", {
    numeric: true,
    sensitivity: "base",
  });
  return by === 0 ? one.phone_number.localeCompare(other.phone_number) : by;
}
