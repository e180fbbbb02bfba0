/** How an endpoint's deliveries are narrowed, as the address of the page has it. Absent = not by this. */
export interface DeliveryFilter {
  status?: string;
  /** Event types, separated by commas. */
  types?: string;
  /** What the last attempt came to: a status code, or why there was no answer. */
  response?: string;
  /** RFC 3339. */
  from?: string;
  to?: string;
  /** Ids of what the deliveries are about. */
  chat?: string;
  message?: string;
  event?: string;
  replay?: string;
}

export const SUBJECTS = {
  event: "Event id",
  message: "Message id",
  chat: "Chat id",
  replay: "Replay id",
} as const satisfies Partial<Record<keyof DeliveryFilter, string>>;

export type DeliverySubject = keyof typeof SUBJECTS;

const NAMES = [
  "status",
  "types",
  "response",
  "from",
  "to",
  "chat",
  "message",
  "event",
  "replay",
] as const satisfies (keyof DeliveryFilter)[];

/** The filter an address holds; what is repeated counts once. */
export function readDeliveryFilter(query: Record<string, string | string[] | undefined>): DeliveryFilter {
  const filter: DeliveryFilter = {};
  for (const name of NAMES) {
    const value = [query[name]].flat()[0];
    if (value !== undefined && value !== "") filter[name] = value;
  }
  return filter;
}

/** The id a filter asks for, and of what it is. */
export function subjectOf(filter: DeliveryFilter): { kind: DeliverySubject; id: string } | null {
  for (const kind of ["event", "message", "chat", "replay"] as const) {
    const id = filter[kind];
    if (id !== undefined) return { kind, id };
  }
  return null;
}

/** The filter as GET /api/webhooks/{id}/deliveries takes it. */
export function toDeliveryQuery(filter: DeliveryFilter): Record<string, string | undefined> {
  const { chat, message, event, replay, from, to, ...same } = filter;
  return {
    ...same,
    from: readTime(from),
    to: readTime(to),
    chat_id: chat,
    message_id: message,
    event_id: event,
    replay_id: replay,
  };
}

// Of a time that cannot be read nothing is asked.
function readTime(value: string | undefined): string | undefined {
  const ms = value === undefined ? Number.NaN : Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}
