import "server-only";
import type { ChatNote } from "@/lib/messaging/team/chat-note";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";
import type { ChatTeamEntryKind } from "@/lib/platform/prisma/enums";

const MAX_ENTRIES = 500;

type Row = RowOf<"list-team-entries">;

/** The sentence of each kind of entry. */
const SENTENCES: Record<ChatTeamEntryKind, (row: Row) => string> = {
  taken_over: ({ about_id, about, ...row }) =>
    `${authorOf(row)} took over this chat${about_id === null ? "" : ` from ${about ?? "a former member"}`}. API sends are refused`,
  handed_back: (row) =>
    row.author === null
      ? `This chat went back to the API, because ${row.about ?? "a former member"} sent nothing for a while`
      : `${row.author} handed this chat back to the API`,
  assigned: (row) =>
    row.about_id === null
      ? `${authorOf(row)} removed the assignment`
      : `${authorOf(row)} assigned this chat to ${row.about ?? "a former member"}`,
  team_assigned: (row) =>
    row.body === null
      ? `${authorOf(row)} removed this chat from its team`
      : `${authorOf(row)} assigned this chat to the team ${row.body}`,
  closed: (row) => `${authorOf(row)} closed this chat`,
  snoozed: (row) => `${authorOf(row)} snoozed this chat`,
  reopened: (row) =>
    row.author === null ? "The snooze of this chat ended" : `${row.author} reopened this chat`,
  loop_held: () =>
    "Two programs seem to answer each other. API sends are on hold until a person resumes them",
  loop_resumed: (row) =>
    row.author === null ? "The hold for API sends ended" : `${row.author} resumed API sends`,
  note: ({ body }) => body ?? "",
};

const LIST_TEAM_ENTRIES = statement(
  "list-team-entries",
  `select e.id, e.kind, author.name as author, about.name as about, e.about_id, e.body, e.created_at
  from chat_team_entries e left join users author on author.id = e.user_id
    left join users about on about.id = e.about_id
  where e.account_id = :accountId and e.chat_id = :chatId order by e.id desc limit ${MAX_ENTRIES}`,
);

/** Returns the team's newest entries about a chat of the account, newest first. */
export async function listTeamEntries(ctx: Context, chatId: string): Promise<ChatNote[]> {
  const rows = await sql.run(LIST_TEAM_ENTRIES, { accountId: ctx.account.id, chatId });
  return rows.flatMap((row) => {
    // A newer release, which replaces this one at the moment, may have stored a kind that this one does not know.
    const sentence: ((row: Row) => string) | undefined = SENTENCES[row.kind];
    if (sentence === undefined) return [];
    return {
      id: row.id,
      type: row.kind === "note" ? ("note" as const) : ("event" as const),
      text: sentence(row),
      by: row.kind === "note" ? authorOf(row) : null,
      location: null,
      created_at: row.created_at.toISOString(),
    };
  });
}

function authorOf({ author }: Pick<Row, "author">): string {
  return author ?? "A former member";
}
