import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { maxUnits } from "@/lib/platform/max-units";
import { limitParameter, toPage } from "@/lib/platform/page";
import { findPhone, PathHandle, ReceivedMessage } from "@/lib/simulator/phone";
import { findActionsOn, findActivity, findInbox, type InboxRow } from "@/lib/simulator/phone-inbox";
import {
  editedParts,
  type PhoneAction,
  PhoneEdit,
  PhoneReaction,
  readScreen,
} from "@/lib/simulator/phone-screen";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const ShownMessage = ReceivedMessage.extend({
  /** Its id in the API; null when nothing was stored of it (the phone is blocked). */
  message_id: z.uuid().nullable(),
  chat_id: z.uuid().nullable(),
  /** Texts lines gave its parts later, oldest first; `parts` shows the last. */
  edits: z.array(PhoneEdit),
  /** What lines put on it, and did not take off again. */
  reactions: z.array(PhoneReaction),
});

const Activity = z.object({
  id: z.uuid(),
  line: z.string(),
  /** The simulator's id of the group conversation; null in a direct one. */
  group: z.string().nullable(),
  /** typing, read, edit, react, set_name, share_contact_card … */
  action: z.string(),
  /** What the network was told of it: `is_on` of typing, `name` of set_name … */
  detail: z.record(z.string(), z.unknown()),
  created_at: z.iso.datetime(),
});

export const ListPhoneMessages = contract({
  summary: "List what a simulated phone got and wrote, and what lines did on it",
  tag: "Simulator",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  query: z.object({ cursor: z.string().check(maxUnits(500)).optional(), limit: limitParameter(100, 50) }),
  returns: z.object({
    messages: z.array(ShownMessage),
    /** What lines did in its chats besides writing: the last hundred things, newest first. */
    activity: z.array(Activity),
    next_cursor: z.string().nullable(),
  }),
  status: 200,
  errors: ["name_unknown", "feature_not_available"],
  extension: true,
});

/**
 * A phone's inbox, for a partner's tests to look at: its messages, newest first, as the phone shows them now, and what
 * lines did there. Errors: as `ListPhoneMessages`.
 */
export async function listPhoneMessages(
  ctx: Context,
  { params, query }: Pick<Input<typeof ListPhoneMessages>, "params" | "query">,
) {
  requireSandbox(ctx);
  const { handle } = await findPhone(ctx.account.id, params.handle);
  const [rows, activity] = await Promise.all([
    findInbox(ctx.account.id, handle, query),
    findActivity(ctx.account.id, handle),
  ]);
  const page = toPage(rows, query.limit, (row) => [row.created_at.toISOString(), row.ref]);
  const actions = await findActionsOn(
    ctx.account.id,
    handle,
    page.items.map(({ ref }) => ref),
  );
  return {
    messages: page.items.map((row) => toMessage(row, actions.get(row.ref) ?? [])),
    activity: activity.map(toActivity),
    next_cursor: page.nextCursor,
  };
}

function toMessage(row: InboxRow, actions: readonly PhoneAction[]): z.infer<typeof ShownMessage> {
  const { edits, reactions } = readScreen(actions);
  return {
    id: row.ref,
    message_id: row.message_id,
    chat_id: row.chat_id,
    from: row.sender,
    line: row.line,
    group: row.group_ref,
    service: row.service,
    parts: editedParts(row.parts, edits),
    effect: row.effect,
    edits,
    reactions,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
}

function toActivity({ id, line, group_ref, action, created_at }: PhoneAction): z.infer<typeof Activity> {
  const { do: done, ...told } = action;
  const detail = Object.fromEntries(Object.entries(told).map(([key, value]) => [snakeCase(key), value]));
  return { id, line, group: group_ref, action: done, detail, created_at: created_at.toISOString() };
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
