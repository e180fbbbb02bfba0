type Fields = Readonly<Record<string, unknown>>;

/** The fields whose values differ, with the values before and after, for the detail of an audit entry. */
export function changedFields(before: Fields, after: Fields): { from: Fields; to: Fields } {
  const names = Object.keys(after).filter(
    (name) => JSON.stringify(before[name] ?? null) !== JSON.stringify(after[name] ?? null),
  );
  const pick = (fields: Fields) => Object.fromEntries(names.map((name) => [name, fields[name] ?? null]));
  return { from: pick(before), to: pick(after) };
}
