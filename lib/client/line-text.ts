/** A line in plain text: its label, if it has one, and its number. */
export function lineText({
  label,
  phone_number,
}: {
  label?: string | undefined;
  phone_number: string;
}): string {
  return label === undefined ? phone_number : `${label} (${phone_number})`;
}

/** The order of lines in lists and choosers: by label or number. */
export function compareLines(
  one: { label?: string | undefined; phone_number: string },
  other: { label?: string | undefined; phone_number: string },
): number {
  const by = (one.label ?? one.phone_number).localeCompare(other.label ?? other.phone_number, "en", {
    numeric: true,
    sensitivity: "base",
  });
  return by === 0 ? one.phone_number.localeCompare(other.phone_number) : by;
}
