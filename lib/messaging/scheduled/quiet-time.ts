import "server-only";
import { z } from "zod";
import { findAccountOptions } from "@/lib/identity/accounts/find-account-options";
import { RELEASED_AFTER_MS } from "@/lib/identity/accounts/release-held";
import type { Context } from "@/lib/platform/context";
import { type Sql, sql } from "@/lib/platform/database/db";
import { plannedStatement, statement } from "@/lib/platform/database/statement";
import { ApiError } from "@/lib/platform/errors/errors";
import { firstIdAt } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { clockIn, type QuietHours, quietUntil } from "@/lib/platform/time/quiet-hours";
import { zonesOfNumber } from "@/lib/recipients/time-zones/zones-of-number";

/** Who wrote within this time gets answers in quiet hours, too. */
const ANSWER_MINUTES = 60;
const MINUTE_MS = 60_000;
const SECOND_MS = 1000;

/** Available on every send: what happens to it in the quiet hours of a recipient. */
export const QuietChoice = z
  .enum(["hold", "refuse", "ignore"])
  .optional()
  .describe(
    "What happens to the message in the quiet hours of a recipient, if the account has quiet hours. `hold` sends it when they end, in the order of the sends and as fast as the limits allow. `refuse` fails with 2035. `ignore` sends it anyway: use it for messages that the recipient is waiting for, such as codes. Defaults to the account's setting. A Trunkline extension.",
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
      and not m.is_from_me) as "has_written!", (
    select max(s.due_at) from participants p join scheduled_messages s on s.account_id = p.account_id and s.chat_id = p.chat_id
    where p.account_id = :accountId and p.handle = w.handle and not p.is_me
      and s.due_at <= :soon and (s.due_at <= :now or s.asked_at is not null)) as last_due_at
  from (
    select p.handle from participants p
    where p.account_id = :accountId and p.chat_id = :chatId and not p.is_me and p.status = 'active'
    union select unnest(:handles::text[])) w
  left join contacts k on k.account_id = :accountId and k.handle = w.handle`,
);

/**
 * The quiet hours of recipients at a time; null outside those of all recipients, or when the account has none. The zone of a
 * recipient is the one that the contact has, otherwise those of the number, otherwise the account's.
 */
export async function findQuiet(ctx: Context, at: Date, to: QuietRecipients): Promise<Quiet | null> {
  const hours = await quietHoursOf(ctx);
  return hours && (await evaluate(ctx, hours, { at, to })).quiet;
}

/**
 * The quiet hours of recipients, and when the last of the messages to them is due that are due now, or held until the next seconds: a
 * change of the quiet hours has released those.
 */
async function evaluate(
  ctx: Context,
  hours: QuietHours,
  { at, to }: { at: Date; to: QuietRecipients },
): Promise<{ quiet: Quiet | null; lastDueAt: Date | null }> {
  const since = new Date(at.getTime() - ANSWER_MINUTES * MINUTE_MS);
  const recipients = await sql.run(FIND_QUIET_RECIPIENTS, {
    accountId: ctx.account.id,
    chatId: "chatId" in to ? to.chatId : null,
    handles: "handles" in to ? to.handles : [],
    firstId: firstIdAt(since.getTime()),
    since,
    now: ctx.now,
    soon: new Date(ctx.now.getTime() + RELEASED_AFTER_MS),
  });
  const zones = recipients.flatMap(({ handle, time_zone, has_written }) => {
    if (has_written) return [];
    if (time_zone !== null) return [time_zone];
    const found = zonesOfNumber(handle);
    return found.length > 0 ? found : [hours.time_zone];
  });
  const found = quietUntil(at, zones, hours);
  const quiet = found && { until: found.until, localTime: clockIn(found.zone, at), action: hours.action };
  return { quiet, lastDueAt: latest(recipients.map(({ last_due_at }) => last_due_at)) };
}

function latest(times: readonly (Date | null)[]): Date | null {
  return times.reduce((last, time) => (last === null || (time !== null && time > last) ? time : last), null);
}

/** A send of a program with the time that it asks for; null = now. */
interface AskedSend {
  dueAt: Date | null;
  choice: QuietChoice;
  to: QuietRecipients;
}

/** When a send is due, and what it asked for. */
export interface Due {
  /** null = now. */
  dueAt: Date | null;
  /** null = it is not held. */
  hold: Hold | null;
}

/** The time that a held send asked for, in whole seconds, and the quiet hours by which it is held. */
interface Hold {
  askedAt: Date;
  hours: QuietHours;
}

/**
 * When a send is due after the quiet hours of its recipients were taken into account. Sends of people are due when they say. A
 * send of now waits for the messages to them that are due, or held until the next seconds, so that it does not overtake what was held
 * in the night. Errors: quiet_hours.
 */
export async function dueAfterQuiet(ctx: Context, { dueAt, choice, to }: AskedSend): Promise<Due> {
  const asked = { dueAt, hold: null };
  if (choice === "ignore" || !(await keepsQuietHours(ctx))) return asked;
  const hours = await quietHoursOf(ctx);
  if (hours === null) return asked;
  const { quiet, lastDueAt } = await evaluate(ctx, hours, { at: dueAt ?? ctx.now, to });
  const askedAt = dueAt ?? toSecond(ctx.now);
  const hold = { askedAt, hours };
  if (quiet !== null) return { dueAt: endOrFail(quiet, choice), hold };
  return dueAt === null && lastDueAt !== null ? { dueAt: latest([askedAt, lastDueAt]), hold } : asked;
}

const LOCK_QUIET_HOURS = statement(
  "lock-quiet-hours",
  `select quiet_hours is not distinct from :hours::jsonb as "is_same!" from accounts where id = :accountId for share`,
);

/** When a scheduled message is due, and the time that it asked for; `askedAt` null = it is not held. */
interface StoredDue {
  dueAt: Date;
  askedAt: Date | null;
}

/**
 * When a message is due that `tx` schedules: as planned, or, if it is held and the account's quiet hours were changed since, when
 * that change makes held messages due. A later change waits for `tx`, and so releases the message.
 */
export async function confirmDue(tx: Sql, ctx: Context, planned: Due & { dueAt: Date }): Promise<StoredDue> {
  const { dueAt, hold } = planned;
  if (hold === null) return { dueAt, askedAt: null };
  const { askedAt } = hold;
  const lock = { accountId: ctx.account.id, hours: JSON.stringify(hold.hours) };
  const [account] = await tx.run(LOCK_QUIET_HOURS, lock);
  if (account?.is_same === true) return { dueAt, askedAt };
  const releasedAt = toSecond(new Date(now().getTime() + RELEASED_AFTER_MS));
  return askedAt > releasedAt ? { dueAt: askedAt, askedAt: null } : { dueAt: releasedAt, askedAt };
}

function toSecond(time: Date): Date {
  return new Date(Math.floor(time.getTime() / SECOND_MS) * SECOND_MS);
}

/**
 * Until when a due message of a program waits for the end of quiet hours; null when it is not quiet at the time at which it is
 * tried. Errors: quiet_hours.
 */
export async function quietEnd(
  ctx: Context,
  { choice, to, at }: Omit<AskedSend, "dueAt"> & { at: Date },
): Promise<Date | null> {
  if (choice === "ignore" || !(await keepsQuietHours(ctx))) return null;
  const quiet = await findQuiet(ctx, at, to);
  return quiet && endOrFail(quiet, choice);
}

function endOrFail(quiet: Quiet, choice: QuietChoice): Date {
  const refusal = quietRefusal(quiet, choice);
  if (refusal !== null) throw refusal;
  return quiet.until;
}

/** The error with which quiet hours refuse a send; null when they hold it. */
export function quietRefusal({ localTime, until, action }: Quiet, choice: QuietChoice): ApiError | null {
  if ((choice ?? action) === "hold") return null;
  const detail = `it is ${localTime} for a recipient, whose quiet hours end at ${until.toISOString()}`;
  return new ApiError("quiet_hours", detail);
}
