/** The initials of a name: "Ada Lovelace" is AL, "acme" is A. */
export function initials(name: string): string {
  const words = name.trim().split(/\s+/).filter(Boolean);
  const first = words[0]?.at(0) ?? "?";
  const last = words.length > 1 ? (words.at(-1)?.at(0) ?? "") : "";
  return (first + last).toUpperCase();
}
