import pg from "pg";
import { z } from "zod";

/** A statement sent to the database. */
export interface SentStatement {
  /** Prepared statements run on the hot pool. */
  name?: string | undefined;
  text: string;
  values: readonly unknown[];
}

const Query = z.object({
  name: z.string().optional(),
  text: z.string(),
  values: z.array(z.unknown()).default([]),
});

/** Returns the statements that `work` sends over all connections of this process. */
export async function recordStatements(work: () => Promise<unknown>): Promise<SentStatement[]> {
  const original = pg.Client.prototype.query;
  const sent: SentStatement[] = [];
  pg.Client.prototype.query = function recorded(this: pg.Client, ...args: unknown[]) {
    const query = Query.safeParse(args[0]);
    if (query.success) sent.push(query.data);
    return Reflect.apply(original, this, args);
  } as typeof original;
  try {
    await work();
  } finally {
    pg.Client.prototype.query = original;
  }
  return sent;
}
