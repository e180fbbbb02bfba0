import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { cursorParameter, limitParameter, nextCursor, toPage } from "@/lib/platform/lists/page";
import { findPhone, PathHandle, ReceivedMessage } from "@/lib/simulator/phone";
import { hideSecrets } from "@/lib/simulator/phones/screen/hide-secrets";
import {
  findActionsOn,
  findActivity,
  findInbox,
  type InboxRow,
} from "@/lib/simulator/phones/screen/phone-inbox";
import {
  editedParts,
  type PhoneAction,
  PhoneEdit,
  PhoneReaction,
  readScreen,
} from "@/lib/simulator/phones/screen/phone-screen";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const ShownMessage = ReceivedMessage.extend({
  message_id: z
    .uuid()
    .nullable()
    .describe("ID of the message in the API; `null` when nothing was stored, as for a blocked phone."),
  chat_id: z.uuid().nullable().describe("ID of the chat in the API; `null` when nothing was stored."),
  edits: z.array(PhoneEdit).describe("Edits of the parts, oldest first. `parts` contains the latest text."),
  reactions: z.array(PhoneReaction).describe("Current reactions of lines to the message."),
  unsent_at: z.iso
    .datetime()
    .nullable()
    .describe(
      "When the sender unsent the message: phones then show no content. `null` if it was not unsent.",
    ),
});

const Activity = z.object({
  id: z.uuid().describe("ID of the action."),
  line: z.string().describe("Number of the line, in E.164 format."),
  group: z
    .string()
    .nullable()
    .describe("ID of the group conversation in the simulator; `null` in a direct one."),
  action: z
    .string()
    .describe(
      "Type of the action, such as `typing`, `read`, `edit`, `react`, `set_name` or `share_contact_card`.",
    ),
  detail: z.record(z.string(), z.unknown()).describe("Details of the action, such as `is_on` of typing."),
  created_at: z.iso.datetime().describe("When the action took place."),
});

export const ListPhoneMessages = contract({
  summary: "List the messages and activity of a simulated phone",
  description:
    "Returns the messages that a phone received and sent, newest first, as the phone shows them now, and the other actions of lines in its chats. Use it in tests to assert what a recipient sees.",
  tag: "Simulator",
  right: "view_chats",
  sandboxOnly: true,
  params: z.object({ handle: PathHandle }),
  query: z.object({ cursor: cursorParameter, limit: limitParameter(100, 50) }),
  returns: z.object({
    messages: z
      .array(ShownMessage)
      .meta({ description: "One page of messages, newest first.", examples: [[]] }),
    activity: z.array(Activity).meta({
      description: "Actions of lines other than messages: the last 100, newest first.",
      examples: [
        [
          {
            id: "019ca9c2-4c0c-7df3-8c32-e7f8091a2b34",
            line: "+12025550100",
            group: null,
            action: "typing",
            detail: { is_on: true },
            created_at: "2026-03-01T12:00:00.000Z",
          },
        ],
      ],
    }),
    next_cursor: nextCursor,
  }),
  status: 200,
  errors: ["name_unknown", "feature_not_available"],
  extension: true,
});

/**
 * Lists a phone's inbox for a partner's tests: its messages, newest first, as the phone currently shows them, with the
 * actions of lines. Errors: as `ListPhoneMessages`.
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
  const page = toPage(await hideSecrets(ctx, rows), query.limit, (row) => [
    row.created_at.toISOString(),
    row.ref,
  ]);
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
  const { edits, reactions } = readScreen(row.unsent_at === null ? actions : []);
  return {
    id: row.ref,
    message_id: row.message_id,
    chat_id: row.chat_id,
    from: row.sender,
    line: row.line,
    group: row.group_ref,
    service: row.service,
    parts: row.unsent_at === null ? editedParts(row.parts, edits) : [],
    effect: row.unsent_at === null ? row.effect : null,
    edits,
    reactions,
    unsent_at: row.unsent_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
    delivered_at: row.delivered_at?.toISOString() ?? null,
    read_at: row.read_at?.toISOString() ?? null,
  };
}

function toActivity({ id, line, group_ref, action, created_at }: PhoneAction): z.infer<typeof Activity> {
  const { do: done, ...emitted } = action;
  const detail = Object.fromEntries(Object.entries(emitted).map(([key, value]) => [snakeCase(key), value]));
  return { id, line, group: group_ref, action: done, detail, created_at: created_at.toISOString() };
}

function snakeCase(key: string): string {
  return key.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
