import "server-only";
import { z } from "zod";
import type { FaultName } from "@/lib/adapters/transports/simulator/faults";
import type { PhoneBehavior } from "@/lib/adapters/transports/simulator/phone-behavior";
import type { Context } from "@/lib/platform/context";
import { contract } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { plannedStatement } from "@/lib/platform/database/statement";
import { env } from "@/lib/platform/env";
import type { PhonePlatform } from "@/lib/platform/prisma/enums";
import { fictionalNumber, MAGIC_AREA } from "@/lib/simulator/lines/fictional-numbers";
import { LINE_KINDS } from "@/lib/simulator/lines/line-kinds";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const REPLY_MS = 2000;
const READ_MS = 1000;

interface MagicPhone {
  name: string;
  behavior: string;
  effect: string;
  platform?: PhonePlatform;
  readAfterMs?: number;
  fault?: FaultName;
  acts?: PhoneBehavior;
}

const PHONES: readonly MagicPhone[] = [
  {
    name: "Delivers",
    behavior: "delivers",
    effect: "delivered at once, read after 1 s",
    readAfterMs: READ_MS,
  },
  { name: "Never reads", behavior: "never_reads", effect: "delivered at once, never read" },
  {
    name: "SMS only",
    behavior: "sms_only",
    effect: "receives SMS: no iMessage, no RCS, no receipts",
    platform: "sms_only",
  },
  {
    name: "RCS only",
    behavior: "rcs_only",
    effect: "has RCS and no iMessage",
    platform: "android_rcs",
  },
  {
    name: "Replies",
    behavior: "replies",
    effect: "reads and replies after 2 s",
    readAfterMs: REPLY_MS,
    acts: "replies",
  },
  {
    name: "Echoes",
    behavior: "echoes",
    effect: "reads and sends the text back",
    readAfterMs: 0,
    acts: "echoes",
  },
  {
    name: "Answers STOP",
    behavior: "answers_stop",
    effect: "reads and replies STOP, which opts the handle out",
    readAfterMs: 0,
    acts: "answers_stop",
  },
  {
    name: "Fails",
    behavior: "fails",
    effect: "message.sent, then message.failed 4001",
    fault: "undeliverable",
  },
  {
    name: "Times out",
    behavior: "times_out",
    effect: "message.failed 4006, then message.delivered from a late receipt",
    fault: "lost_answer",
  },
  {
    name: "Unreachable",
    behavior: "unreachable",
    effect: "stays queued and is retried; message.failed 4002 after the last attempt",
    fault: "line_down",
  },
  {
    name: "Changes service",
    behavior: "changes_service",
    effect: "receives the first message over iMessage, later ones over SMS",
    readAfterMs: 0,
    acts: "changes_service",
  },
  {
    name: "Refuses cards",
    behavior: "refuses_cards",
    effect: "message.failed 4005 for app cards and app clips; other messages arrive",
    acts: "refuses_cards",
  },
  {
    name: "Pays",
    behavior: "pays",
    effect: "pays each checkout link at once with a card that succeeds",
    readAfterMs: 0,
    acts: "pays",
  },
  {
    name: "Declines",
    behavior: "declines",
    effect: "pays each checkout link with a card that is declined: the request stays open",
    readAfterMs: 0,
    acts: "declines",
  },
  {
    name: "Approves",
    behavior: "approves",
    effect: "replies with the code that connects it, adds a card and a passkey, and approves agent payments",
    readAfterMs: 0,
    acts: "approves",
  },
  {
    name: "Denies",
    behavior: "denies",
    effect: "as Approves, but replies that it does not approve the payment, which expires after 15 minutes",
    readAfterMs: 0,
    acts: "denies",
  },
];

/** The magic handles with their behavior. */
export const MAGIC_HANDLES = PHONES.map((phone, index) => ({
  ...phone,
  handle: fictionalNumber(MAGIC_AREA, index),
}));

const BY_HANDLE = new Map(MAGIC_HANDLES.map((phone) => [phone.handle, phone]));

export const ListMagicHandles = contract({
  summary: "List magic handles and line kinds",
  description:
    "Returns the handles that behave in a known way without a phone being created, and the kinds of simulated lines. A sandbox account can send to a magic handle before the handle has sent a message. Creating a phone with the number of a magic handle replaces its behavior.",
  tag: "Simulator",
  right: "view_chats",
  sandboxOnly: true,
  returns: z
    .object({
      handles: z
        .array(
          z.object({
            handle: z.string().describe("The number, from a range that is reserved for fiction."),
            name: z.string().describe("Name of the simulated phone."),
            behavior: z.string().describe("Identifier of the behavior."),
            effect: z.string().describe("Effect that a partner observes."),
          }),
        )
        .describe("Magic handles."),
      lines: z
        .array(
          z.object({
            kind: z.string().describe("Kind of `POST /simulator/lines`."),
            effect: z.string().describe("Effect that a partner observes."),
          }),
        )
        .describe("Kinds of simulated lines."),
    })
    .meta({
      examples: [
        {
          handles: [
            {
              handle: "+15005550104",
              name: "Replies",
              behavior: "replies",
              effect: "reads and replies after 2 s",
            },
          ],
          lines: [{ kind: "critical", effect: "reputation CRITICAL, which does not change" }],
        },
      ],
    }),
  status: 200,
  errors: ["feature_not_available"],
  extension: true,
});

export type MagicHandle = z.infer<typeof ListMagicHandles.returns>["handles"][number];

/** Lists the magic handles and the kinds of lines. Errors: feature_not_available. */
export async function listMagicHandles(ctx: Context) {
  requireSandbox(ctx);
  return {
    handles: MAGIC_HANDLES.map(({ handle, name, behavior, effect }) => ({ handle, name, behavior, effect })),
    lines: Object.entries(LINE_KINDS).map(([kind, { effect }]) => ({ kind, effect })),
  };
}

const INTRODUCE_MAGIC_HANDLES = plannedStatement(
  "introduce-magic-handles",
  `with phones as (
    insert into simulator_phones (account_id, handle, name, platform, read_after_ms, delay_ms, fault, behavior, created_at)
    select :accountId, t.*, :now from (
      select handle, name, platform::phone_platform, read_after_ms, 0, fault, behavior
      from unnest(:handles::text[], :names::text[], :platforms::text[], :readAfterMs::int[], :faults::text[], :acts::text[])
        as t(handle, name, platform, read_after_ms, fault, behavior)) t
    on conflict do nothing
  )
  insert into line_contacts (account_id, line_id, handle, first_inbound_at, last_inbound_at)
  select :accountId, l.id, handle, :now, :now from lines l, unnest(:handles::text[]) as handle
  where l.account_id = :accountId and l.released_at is null and l.transport = 'simulator'
  on conflict do nothing`,
);

/**
 * Creates the phones of the magic handles among these, and lets every simulated line of the account send to them. A
 * phone that exists stays as it is. Without magic handles, runs no statement.
 */
export async function introduceMagicHandles(
  { account, now }: Context,
  handles: readonly string[],
): Promise<void> {
  const phones = handles.flatMap((handle) => BY_HANDLE.get(handle) ?? []);
  if (phones.length === 0 || !env().SIMULATOR) return;
  await sql.run(INTRODUCE_MAGIC_HANDLES, {
    accountId: account.id,
    handles: phones.map(({ handle }) => handle),
    names: phones.map(({ name }) => name),
    platforms: phones.map(({ platform = "iphone" }) => platform),
    readAfterMs: phones.map(({ readAfterMs = null }) => readAfterMs),
    faults: phones.map(({ fault = null }) => fault),
    acts: phones.map(({ acts = null }) => acts),
    now,
  });
}
