import "server-only";
import { z } from "zod";
import { recordAudit } from "@/lib/identity/audit/record-audit";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { type Sql, sql, transaction } from "@/lib/platform/database/db";
import { hasSqlState } from "@/lib/platform/database/has-sql-state";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { newId } from "@/lib/platform/ids";
import { maxUnits } from "@/lib/platform/text/max-units";

const MAX_TITLE = 80;
const MAX_BODY = 4000;
const MAX_REPLIES = 200;
const UNIQUE_VIOLATION = "23505";

/** A text that people insert into messages. Variables such as {{name}} are replaced when it is inserted. */
export const CannedReply = z.object({ id: z.uuid(), title: z.string(), body: z.string() });

export type CannedReply = z.infer<typeof CannedReply>;

const Content = z.object({
  title: z.string().trim().min(1).check(maxUnits(MAX_TITLE)),
  body: z.string().trim().min(1).check(maxUnits(MAX_BODY)),
});

const ReplyParams = z.object({ replyId: z.uuid() });

export const ListCannedReplies = contract({
  summary: "List canned replies",
  tag: "Chats",
  right: "view_chats",
  returns: z.object({
    replies: z.array(CannedReply),
    /** The caller's name, the value of {{agent}}. */
    agent: z.string(),
  }),
  status: 200,
  errors: [],
});

const LIST_CANNED_REPLIES = statement(
  "list-canned-replies",
  `select id, title, body from canned_replies where account_id = :accountId order by lower(title), id limit ${MAX_REPLIES}`,
);

/** Returns the account's canned replies by title, at most 200. */
export async function listCannedReplies(ctx: Context): Promise<{ replies: CannedReply[]; agent: string }> {
  const replies = await sql.run(LIST_CANNED_REPLIES, { accountId: ctx.account.id });
  return { replies, agent: ctx.actor.type === "user" ? ctx.actor.name : "" };
}

export const CreateCannedReply = contract({
  summary: "Create a canned reply",
  tag: "Chats",
  right: "send_messages",
  body: Content,
  returns: CannedReply,
  status: 201,
  errors: ["access_denied", "parameter_invalid", "state_conflict"],
});

const COUNT_CANNED_REPLIES = statement(
  "count-canned-replies",
  "select count(*)::int as count from canned_replies where account_id = :accountId",
);

const CREATE_CANNED_REPLY = statement(
  "create-canned-reply",
  `insert into canned_replies (account_id, id, title, body, created_at, updated_at)
  values (:accountId, :id, :title, :body, :now, :now)`,
);

/** Creates a canned reply. Errors: state_conflict when the title is taken, or for more than 200. */
export async function createCannedReply(
  ctx: Context,
  { body }: Pick<Input<typeof CreateCannedReply>, "body">,
): Promise<CannedReply> {
  const id = newId(ctx.now.getTime());
  await transaction(async (tx) => {
    await lockReplies(tx, ctx);
    const [{ count } = { count: 0 }] = await tx.run(COUNT_CANNED_REPLIES, { accountId: ctx.account.id });
    if (count >= MAX_REPLIES) fail("state_conflict", `an account can have ${MAX_REPLIES} canned replies`);
    await namedOnce(body.title, () =>
      tx.run(CREATE_CANNED_REPLY, {
        accountId: ctx.account.id,
        id,
        title: body.title,
        body: body.body,
        now: ctx.now,
      }),
    );
    await recordAudit(tx, ctx, "canned_reply.created", "canned_reply", id, { title: body.title });
  });
  return { id, ...body };
}

export const UpdateCannedReply = contract({
  summary: "Change a canned reply",
  tag: "Chats",
  right: "send_messages",
  params: ReplyParams,
  body: Content,
  returns: CannedReply,
  status: 200,
  errors: ["access_denied", "name_unknown", "parameter_invalid", "state_conflict"],
});

const UPDATE_CANNED_REPLY = statement(
  "update-canned-reply",
  `update canned_replies set title = :title, body = :body, updated_at = :now
  where account_id = :accountId and id = :id returning id`,
);

/** Changes a canned reply. Errors: name_unknown; state_conflict when the title is taken. */
export async function updateCannedReply(
  ctx: Context,
  { params, body }: Pick<Input<typeof UpdateCannedReply>, "params" | "body">,
): Promise<CannedReply> {
  const { replyId: id } = params;
  await transaction(async (tx) => {
    const rows = await namedOnce(body.title, () =>
      tx.run(UPDATE_CANNED_REPLY, {
        accountId: ctx.account.id,
        id,
        title: body.title,
        body: body.body,
        now: ctx.now,
      }),
    );
    if (rows.length === 0) fail("name_unknown", "the account has no canned reply with this ID");
    await recordAudit(tx, ctx, "canned_reply.updated", "canned_reply", id, { title: body.title });
  });
  return { id, ...body };
}

export const DeleteCannedReply = contract({
  summary: "Delete a canned reply",
  tag: "Chats",
  right: "send_messages",
  params: ReplyParams,
  status: 204,
  errors: ["access_denied", "name_unknown"],
});

const DELETE_CANNED_REPLY = statement(
  "delete-canned-reply",
  "delete from canned_replies where account_id = :accountId and id = :replyId returning title",
);

/** Deletes a canned reply. Messages that were written with it are unaffected. Errors: name_unknown. */
export async function deleteCannedReply(
  ctx: Context,
  { params }: Pick<Input<typeof DeleteCannedReply>, "params">,
): Promise<undefined> {
  await transaction(async (tx) => {
    const [removed] = await tx.run(DELETE_CANNED_REPLY, {
      accountId: ctx.account.id,
      replyId: params.replyId,
    });
    if (removed === undefined) fail("name_unknown", "the account has no canned reply with this ID");
    await recordAudit(tx, ctx, "canned_reply.deleted", "canned_reply", params.replyId, removed);
  });
}

const LOCK_CANNED_REPLIES = statement(
  "lock-canned-replies",
  "select pg_advisory_xact_lock(hashtextextended(:lock, 0))",
);

// Without the lock, two requests could both create the last reply.
async function lockReplies(tx: Sql, ctx: Context): Promise<void> {
  await tx.run(LOCK_CANNED_REPLIES, { lock: `canned replies ${ctx.account.id}` });
}

async function namedOnce<Rows>(title: string, write: () => Promise<Rows>): Promise<Rows> {
  return write().catch((error: unknown) => {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    return fail("state_conflict", `a canned reply is already called “${title}”`);
  });
}
