/** Words of field names that are written in capitals. */
const CAPITALS = new Set(["url", "id"]);

/** The name of a field or an action for people: `checkout_url` is "Checkout URL". */
export function fieldLabel(name: string): string {
  const words = name.split("_").map((word) => (CAPITALS.has(word) ? word.toUpperCase() : word));
  const text = words.join(" ");
  return text.charAt(0).toUpperCase() + text.slice(1);
}
