import "server-only";

// The sender of an outbound message is the line. Its handle, a seventh of the event's data, is stored once: `true`
// stands for the handle in `owner_handle`. No event type has `true` there.

/** The form in which an event's data are stored. `toWholeData` returns the data. */
export function toStoredData(data: unknown): unknown {
  if (!isRecord(data) || !isRecord(data.owner_handle)) return data;
  return data.sender_handle === data.owner_handle ? { ...data, sender_handle: true } : data;
}

/** The data of a stored event, as the event's type defines them. */
export function toWholeData(stored: unknown): unknown {
  if (!isRecord(stored) || stored.sender_handle !== true) return stored;
  return { ...stored, sender_handle: stored.owner_handle };
}

/** SQL of `toWholeData`, for a JSON path that can reach the sender's handle; the column itself for other paths. */
export function wholeDataSql(column: string, jsonPath: string): string {
  if (!/sender_handle|\*|\\|keyvalue/i.test(jsonPath)) return column;
  return `case when ${column} -> 'sender_handle' = 'true'
    then jsonb_set(${column}, '{sender_handle}', ${column} -> 'owner_handle') else ${column} end`;
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
