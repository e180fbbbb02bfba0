/** The form values of a replay. */
export interface ReplayFields {
  statuses: string[];
  types: string[];
  line_id: string | undefined;
  chat_id: string;
  /** RFC 3339. */
  from: string | undefined;
  to: string | undefined;
  json_path: string;
  per_second: number;
}

export const FAILED_DELIVERIES: ReplayFields = {
  statuses: ["failed", "skipped"],
  types: [],
  line_id: undefined,
  chat_id: "",
  from: undefined,
  to: undefined,
  json_path: "",
  per_second: 50,
};

export const STATUS_CHOICES = [
  { status: "failed", label: "Failed", note: "and not delivered since" },
  { status: "skipped", label: "Skipped", note: "while the endpoint was paused or disabled" },
  { status: "delivered", label: "Delivered", note: "delivered again" },
  { status: "never_owed", label: "Never sent", note: "from before the endpoint was added or subscribed" },
] as const;

/** The filter as an API request. Empty fields do not filter. */
export function toReplayFilter(fields: ReplayFields) {
  const { statuses, types, line_id, from, to } = fields;
  return {
    statuses,
    types,
    line_id,
    chat_id: fields.chat_id.trim() || undefined,
    from: from && new Date(from).toISOString(),
    to: to && new Date(to).toISOString(),
    json_path: fields.json_path.trim() || undefined,
  };
}
