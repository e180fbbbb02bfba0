/** The selection with a chat added, or removed if it was selected. */
export function toggled(selected: ReadonlySet<string>, id: string): ReadonlySet<string> {
  const next = new Set(selected);
  if (!next.delete(id)) next.add(id);
  return next;
}

/**
 * The selection with all listed chats from `from` to `to`, both included. Without a listed `from`, only `to` is added.
 */
export function extended(
  selected: ReadonlySet<string>,
  ids: readonly string[],
  from: string | null,
  to: string,
): ReadonlySet<string> {
  const end = ids.indexOf(to);
  const start = from === null ? -1 : ids.indexOf(from);
  if (start === -1) return new Set([...selected, to]);
  return new Set([...selected, ...ids.slice(Math.min(start, end), Math.max(start, end) + 1)]);
}

/**
 * The chat after (1) or before (-1) the open one. An open chat that left the list, because it was closed, is looked up in
 * the list in which it was last: its next neighbor that is still listed follows. null at the ends of the list.
 */
export function neighbor(
  ids: readonly string[],
  lastIds: readonly string[],
  openId: string,
  by: 1 | -1,
): string | null {
  const known = ids.includes(openId) ? ids : lastIds;
  const place = known.indexOf(openId);
  const candidates = by === 1 ? known.slice(place + 1) : known.slice(0, Math.max(0, place)).toReversed();
  return candidates.find((id) => ids.includes(id)) ?? null;
}
