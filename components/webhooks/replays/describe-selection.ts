import { momentText } from "@/lib/client/moment-text";
import type { WebhookReplay } from "@/lib/webhooks/replays/webhook-replay";

const STATUSES: Readonly<Record<string, string>> = {
  failed: "failed",
  skipped: "skipped",
  delivered: "delivered",
  never_owed: "never sent",
};

/**
 * A replay's filter as one line of text: "Failed or skipped; 2 types; in one chat". Times are in `timeZone`: undefined =
 * the browser's.
 */
export function describeSelection(
  selection: WebhookReplay["selection"],
  timeZone: string | undefined,
): string {
  if ("delivery_id" in selection) return "One delivery";
  const { statuses, types, line_id, chat_id, from, to, json_path } = selection.filter;
  const parts = [
    oneOf(statuses.map((status) => STATUSES[status] ?? status)),
    types.length > 2 ? `${types.length} types` : types.join(", "),
    line_id && "of one line",
    chat_id && "in one chat",
    from && `from ${momentText(Date.parse(from), timeZone)}`,
    to && `to ${momentText(Date.parse(to), timeZone)}`,
    json_path && `where ${json_path}`,
  ].filter(Boolean);
  const text = parts.join("; ");
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

function oneOf(words: string[]): string {
  return [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" or ");
}
