import { loadBundle } from "../bench/load-bundle.mjs";

const BATCH = 5000;

/**
 * Gives each payment request of the account its own checkout link, as a request that was created by the API has. A seal
 * is bound to its row, so the link of a copied row can't be read.
 */
export async function sealSessions(database, accountId) {
  Object.assign(process.env, database.env);
  const { newCheckoutSession } = await loadBundle(new URL("checkout-session.ts", import.meta.url));
  const rows = await database.query("select id from payment_requests where account_id = $1", [accountId]);
  for (let from = 0; from < rows.length; from += BATCH) {
    const sessions = rows.slice(from, from + BATCH).map(({ id }) => ({
      id,
      ...newCheckoutSession({ accountId, id }),
    }));
    await database.query(
      `update payment_requests r set session_hash = new.hash, session_sealed = new.sealed
       from unnest($2::uuid[], $3::bytea[], $4::bytea[]) new(id, hash, sealed)
       where r.account_id = $1 and r.id = new.id`,
      [
        accountId,
        sessions.map(({ id }) => id),
        sessions.map(({ hash }) => hash),
        sessions.map(({ sealed }) => sealed),
      ],
    );
  }
}
