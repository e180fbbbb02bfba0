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
