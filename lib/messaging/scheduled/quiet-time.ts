import "server-only";
import { z } from "zod";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { firstIdAt } from "@/lib/platform/ids";
import { clockIn, type QuietHours, quietUntil } from "@/lib/platform/time/quiet-hours";
import { zonesOfNumber } from "@/lib/recipients/time-zones/zones-of-number";

/** Who wrote within this time gets answers in quiet hours, too. */
const ANSWER_MINUTES = 60;
const MINUTE_MS = 60_000;

/** Available on every send: what happens to it in the quiet hours of a recipient. */
export const QuietChoice = z
  .enum(["hold", "refuse", "ignore"])
  .optional()
  .describe(
    "What happens to the message in the quiet hours of a recipient, if the account has any: `hold` sends it at their end, `refuse` fails with 2035, `ignore` sends it anyway, for messages that the recipient waits for, such as codes. Defaults to the account's setting. A Trunkline extension.",
  );

export type QuietChoice = z.infer<typeof QuietChoice>;

/** The recipients of a send: those of a chat, or handles without one. */
export type QuietRecipients = { chatId: string } | { handles: readonly string[] };

/** The quiet hours of a recipient at the time of a send. */
export interface Quiet {
  until: Date;
  /** The recipient's time of day, `HH:MM`. */
  localTime: string;
  action: QuietHours["action"];
}

/** Whether the account has quiet hours, which programs have to keep. People see them and decide themselves. */
export async function keepsQuietHours(ctx: Context): Promise<boolean> {
  if (ctx.actor.type !== "api") return false;
  return ctx.actor.keepsQuietHours ?? (await quietHoursOf(ctx)) !== null;
}

async function quietHoursOf(ctx: Context): Promise<QuietHours | null> {
  return (await findAccountOptions(ctx.account.id)).quiet_hours;
}

const FIND_QUIET_RECIPIENTS = plannedStatement(
  "find-quiet-recipients",
  `select w.handle as "handle!", k.time_zone, exists (
    select from participants p join messages m on m.account_id = p.account_id and m.chat_id = p.chat_id and m.sender_id = p.id
    where p.account_id = :accountId and p.handle = w.handle and not p.is_me and m.id >= :firstId and m.created_at >= :since
      and not m.is_from_me) as "has_written!"
  from (
    select p.handle from participants p
    where p.account_id = :accountId and p.chat_id = :chatId and not p.is_me and p.status = 'active'
    union select unnest(:handles::text[])) w
  left join contacts k on k.account_id = :accountId and k.handle = w.handle`,
);

/**
 * The quiet hours that it is at a time for one of the recipients; null when it is for none, or when the account has none. The
 * zone of a recipient is the one that the contact has, otherwise those of the number, otherwise the account's.
 */
export async function findQuiet(ctx: Context, at: Date, to: QuietRecipients): Promise<Quiet | null> {
  const hours = await quietHoursOf(ctx);
  if (hours === null) return null;
  const since = new Date(at.getTime() - ANSWER_MINUTES * MINUTE_MS);
  const recipients = await sql.run(FIND_QUIET_RECIPIENTS, {
    accountId: ctx.account.id,
    chatId: "chatId" in to ? to.chatId : null,
    handles: "handles" in to ? to.handles : [],
    firstId: firstIdAt(since.getTime()),
    since,
  });
  const zones = recipients.flatMap(({ handle, time_zone, has_written }) => {
    if (has_written) return [];
    if (time_zone !== null) return [time_zone];
    const found = zonesOfNumber(handle);
    return found.length > 0 ? found : [hours.time_zone];
  });
  const quiet = quietUntil(at, zones, hours);
  return quiet && { until: quiet.until, localTime: clockIn(quiet.zone, at), action: hours.action };
}

/** A send of a program with the time that it asked for; null = now. */
interface JudgedSend {
  dueAt: Date | null;
  choice: QuietChoice;
  to: QuietRecipients;
}

/**
 * When a send is due after the quiet hours of its recipients were taken into account; null = now. Sends of people are due
 * when they say. Errors: quiet_hours.
 */
export async function dueAfterQuiet(
  ctx: Context,
  { dueAt, choice, to }: JudgedSend,
  at: Date = dueAt ?? ctx.now,
): Promise<Date | null> {
  if (choice === "ignore" || !(await keepsQuietHours(ctx))) return dueAt;
  const quiet = await findQuiet(ctx, at, to);
  if (quiet === null) return dueAt;
  const { localTime, until, action } = quiet;
  if ((choice ?? action) === "hold") return until;
  return fail(
    "quiet_hours",
    `it is ${localTime} for a recipient, whose quiet hours end at ${until.toISOString()}`,
  );
}
