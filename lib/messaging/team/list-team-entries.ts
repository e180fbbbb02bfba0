import "server-only";
import type { ChatNote } from "@/lib/messaging/team/chat-note";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import type { ChatTeamEntryKind } from "@/lib/platform/prisma/enums";

const MAX_ENTRIES = 500;

interface Row {
  id: string;
  kind: ChatTeamEntryKind;
  author: string | null;
  about: string | null;
  about_id: string | null;
  body: string | null;
  created_at: Date;
}

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
  note: ({ body }) => body ?? "",
};

/** Returns the team's newest entries about a chat of the account, newest first. */
export async function listTeamEntries(ctx: Context, chatId: string): Promise<ChatNote[]> {
  const rows = await sql.query<Row>({
    name: "list-team-entries",
    text: `select e.id, e.kind::text as kind, author.name as author, about.name as about, e.about_id, e.body, e.created_at
           from chat_team_entries e left join users author on author.id = e.user_id
             left join users about on about.id = e.about_id
           where e.account_id = $1 and e.chat_id = $2 order by e.id desc limit ${MAX_ENTRIES}`,
    values: [ctx.account.id, chatId],
  });
  return rows.map((row) => ({
    id: row.id,
    type: row.kind === "note" ? "note" : "event",
    text: SENTENCES[row.kind](row),
    by: row.kind === "note" ? authorOf(row) : null,
    location: null,
    created_at: row.created_at.toISOString(),
  }));
}

function authorOf({ author }: Pick<Row, "author">): string {
  return author ?? "A former member";
}
