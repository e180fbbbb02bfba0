import "server-only";
import { z } from "zod";

/** The actor of an entry: its type, and the name of the user or token while it exists. */
export const NamedActor = z.object({ type: z.string(), name: z.string().nullable() }).nullable();

/** The result of `actorSql` that is not null. */
export type ActorName = NonNullable<z.infer<typeof NamedActor>>;

/** SQL for a `NamedActor`, from expressions for the actor's type and id and the account. */
export function actorSql(type: string, id: string, accountId: string): string {
  return `case when ${type} is not null then jsonb_build_object('type', ${type}, 'name',
     coalesce((select u.name from users u where u.id = ${id}),
       (select t.name from api_tokens t where t.account_id = ${accountId} and t.id = ${id}))) end`;
}
