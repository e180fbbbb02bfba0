import "server-only";
import { z } from "zod";
import {
  ATTACHMENT_VIEW_COLUMNS,
  ATTACHMENT_VIEW_NAMES,
  AttachmentView,
  type AttachmentViewRow,
  DELETED_COLUMNS,
  FILE_COLUMNS,
  FIRST_MESSAGE,
  toAttachmentView,
} from "@/lib/attachments/attachment-view";
import {
  type AttachmentConditions,
  attachmentConditionFields,
  deletedCondition,
  fileCondition,
} from "@/lib/attachments/files/attachment-conditions";
import { Parameters } from "@/lib/events/store/event-conditions";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import type { SqlText } from "@/lib/platform/database/db";
import { boundedSearch } from "@/lib/platform/lists/bounded-search";
import { exportOf } from "@/lib/platform/lists/export-of";
import { decodeCursor, limitParameter, toPage } from "@/lib/platform/lists/page";
import { countText, ListTotal, totalOf } from "@/lib/platform/lists/total-of";
import { maxUnits } from "@/lib/platform/text/max-units";

const TIMEOUT_MS = 3000;

export const ListAttachmentViews = contract({
  summary: "Search the attachments of the account",
  tag: "Attachments",
  right: "view_chats",
  query: z.object({
    ...attachmentConditionFields,
    cursor: z.string().check(maxUnits(200)).optional(),
    limit: limitParameter(1000, 50),
  }),
  returns: z.object({
    attachments: z.array(AttachmentView),
    next_cursor: z.string().nullable(),
    total: ListTotal,
  }),
  status: 200,
  errors: ["parameter_invalid", "phone_not_e164"],
  extension: true,
});

const CursorKey = z.tuple([z.uuid()]);

/**
 * Returns the account's files, newest first. Deleted files keep their position. Errors: parameter_invalid, also when
 * the search takes too long.
 */
export async function listAttachmentViews(
  ctx: Context,
  { query }: Pick<Input<typeof ListAttachmentViews>, "query">,
) {
  const { cursor, limit, ...asked } = query;
  const after = cursor === undefined ? null : decodeCursor(cursor, CursorKey)[0];
  const parameters = new Parameters();
  const text = listSql(parameters, { accountId: ctx.account.id, asked, after, most: limit + 1 });
  const rows = await boundedSearch(ctx.account.id, TIMEOUT_MS, (tx) =>
    tx.runText<AttachmentViewRow>({ text, values: parameters.values }),
  );

  const page = toPage(rows, limit, ({ id }) => [id]);
  return {
    attachments: page.items.map((row) => toAttachmentView(ctx.account, row)),
    next_cursor: page.nextCursor,
    total: await totalOf(ctx, page, { cursor, count: countText(matchingRows(ctx.account.id, asked)) }),
  };
}

function matchingRows(accountId: string, asked: AttachmentConditions): SqlText {
  const parameters = new Parameters();
  const account = `${parameters.add(accountId)}::uuid`;
  const files = fileCondition(parameters, account, asked);
  const deleted = deletedCondition(parameters, account, asked);
  const halves = [
    files && `select 1 from attachments t where ${files}`,
    deleted && `select 1 from audit_entries e where ${deleted}`,
  ].filter((half) => half !== null);
  return { text: halves.join(" union all "), values: parameters.values };
}

interface ListQuery {
  accountId: string;
  asked: AttachmentConditions;
  after: string | null;
  most: number;
}

// Each half reads only one page in the order of its index. Ids sort the same as uuid and as text.
function listSql(parameters: Parameters, { accountId, asked, after, most }: ListQuery): string {
  const account = `${parameters.add(accountId)}::uuid`;
  const limit = parameters.add(most);
  const from = after === null ? null : parameters.add(after);
  const files = fileCondition(parameters, account, asked);
  const deleted = deletedCondition(parameters, account, asked);
  const halves = [
    files &&
      `(select ${FILE_COLUMNS} from attachments t
        where ${files} ${from === null ? "" : `and t.id < ${from}::uuid`} order by t.id desc limit ${limit})`,
    deleted &&
      `(select ${DELETED_COLUMNS} from audit_entries e
        where ${deleted} ${from === null ? "" : `and e.object_id < ${from}::text`}
        order by e.object_id desc limit ${limit})`,
  ].filter((half) => half !== null);
  return `select ${ATTACHMENT_VIEW_COLUMNS}
    from (select * from (${halves.join(" union all ")}) ${ATTACHMENT_VIEW_NAMES} order by f.id desc limit ${limit}) f
    ${FIRST_MESSAGE} order by f.id desc`;
}

/** Attachments as CSV, without their URLs, because anyone with a URL can open the file. */
export const exportAttachments = exportOf(ListAttachmentViews, listAttachmentViews, {
  summary: "Export the attachments of the account as CSV",
  filename: "attachments.csv",
  pageRows: 500,
  itemsOf: (page) => page.attachments,
  columns: {
    attachment_id: ({ id }) => id,
    filename: ({ filename }) => filename,
    content_type: ({ content_type }) => content_type,
    size_bytes: ({ size_bytes }) => size_bytes,
    status: ({ status }) => status,
    fault: ({ fault }) => fault,
    tier: ({ tier }) => tier,
    expires_at: ({ expires_at }) => expires_at,
    direction: ({ direction }) => direction,
    line: ({ line }) => line,
    chat_id: ({ message }) => message?.chat_id,
    message_id: ({ message }) => message?.id,
    created_at: ({ created_at }) => created_at,
    deleted_at: ({ deleted }) => deleted?.at,
    deleted_by: ({ deleted }) => deleted?.by?.name ?? deleted?.by?.type,
  },
});
