import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { commaList } from "@/lib/platform/text/comma-list";

/** As many handles as a page shows. */
const MAX_HANDLES = 100;

export const ListHandleNames = contract({
  summary: "List the names of handles",
  tag: "Customers",
  right: "view_chats",
  query: z.object({ handles: commaList(z.string()).pipe(z.array(z.string()).max(MAX_HANDLES)) }),
  returns: z.object({ names: z.array(z.object({ handle: z.string(), name: z.string() })) }),
  status: 200,
  errors: ["parameter_invalid"],
});

const LIST_HANDLE_NAMES = statement(
  "list-handle-names",
  `select k.handle, k.name from contacts k
  where k.account_id = :accountId and k.handle = any(:handles) and k.name is not null order by k.handle`,
);

/** Returns the names of those handles that have one. Errors: parameter_invalid for more than 100 handles. */
export async function listHandleNames(ctx: Context, { query }: Pick<Input<typeof ListHandleNames>, "query">) {
  if (query.handles.length === 0) return { names: [] };
  const names = await sql.run(LIST_HANDLE_NAMES, { accountId: ctx.account.id, handles: query.handles });
  return { names };
}
