import "server-only";
import { z } from "zod";
import { errorDocUrl } from "@/lib/docs/error-doc-url";
import { documentedError } from "@/lib/docs/error-guidance";
import { Message } from "@/lib/messages/message";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/db";

/** Why a message failed and what to do about it. */
const Failure = z.object({
  code: z.int(),
  reason: z.string(),
  advice: z.string(),
  doc_url: z.url(),
});

/** A message as the dashboard's timeline shows it: with what support asks for. */
export const TimelineMessage = Message.extend({ trace_id: z.string(), failure: Failure.nullable() });

export type TimelineMessage = z.infer<typeof TimelineMessage>;

interface Row {
  id: string;
  trace_id: string;
  failure_code: number | null;
  failure_reason: string | null;
}

/** Adds to messages of the account what only the dashboard shows. */
export async function toTimeline(ctx: Context, messages: readonly Message[]): Promise<TimelineMessage[]> {
  const rows = await sql.query<Row>({
    name: "timeline-facts",
    text: `select id, trace_id, failure_code, failure_reason from messages
           where account_id = $1 and id = any($2::uuid[])`,
    values: [ctx.account.id, messages.map((message) => message.id)],
  });
  const facts = new Map(rows.map((row) => [row.id, row]));
  return messages.map((message) => {
    const row = facts.get(message.id);
    const failed = message.delivery_status === "failed" && row !== undefined;
    return { ...message, trace_id: row?.trace_id ?? "", failure: failed ? toFailure(row) : null };
  });
}

function toFailure({ failure_code, failure_reason }: Row): z.infer<typeof Failure> | null {
  const documented = documentedError(failure_code ?? 0);
  if (failure_code === null || documented === undefined) return null;
  return {
    code: failure_code,
    reason: failure_reason ?? documented.title,
    advice: documented.fix,
    doc_url: errorDocUrl(failure_code),
  };
}
