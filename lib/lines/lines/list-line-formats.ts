import "server-only";
import type { Context } from "@/lib/platform/context";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { callingCodeOf, type PhoneFormats } from "@/lib/platform/text/digit-groups";
import { phoneFormats } from "@/lib/platform/text/phone-formats";

/** As many lines as are looked at. Numbers of countries beyond them have only their calling code apart. */
const MAX_LINES = 1000;
/** The longest calling code, with its plus. */
const CODE_LENGTH = 4;
const ANY_DIGITS = "0000000";

const LIST_LINE_PREFIXES = statement(
  "list-line-prefixes",
  `select distinct left(phone_number, ${CODE_LENGTH}) as "prefix!" from (
    select phone_number from lines where account_id = :accountId and released_at is null limit ${MAX_LINES}) numbers`,
);

/** How pages group the numbers of the countries of the account's lines. */
export async function listLineFormats(ctx: Context): Promise<PhoneFormats> {
  const rows = await sql.run(LIST_LINE_PREFIXES, { accountId: ctx.account.id });
  return phoneFormats(rows.flatMap(({ prefix }) => callingCodeOf(`${prefix}${ANY_DIGITS}`) ?? []));
}
