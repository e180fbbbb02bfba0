import "server-only";
import { sql } from "@/lib/platform/database/db";
import { type RowOf, statement } from "@/lib/platform/database/statement";

/** Per phone, over all its conversations. */
const MAX_MESSAGES = 150;
const MAX_ACTIONS = 200;

const PHONE_SCREEN_LATEST = statement(
  "phone-screen-latest",
  `select p.handle from simulator_phones p left join lateral (
    select s.created_at from simulator_messages s
    where s.account_id = p.account_id and s.handle = p.handle order by s.created_at desc limit 1
  ) last on true
  where p.account_id = :accountId order by coalesce(last.created_at, p.created_at) desc, p.handle limit :limit`,
);

/** Returns the handles of the phones that were used last, latest first. */
export async function findLatestPhones(accountId: string, limit: number): Promise<string[]> {
  const rows = await sql.run(PHONE_SCREEN_LATEST, { accountId, limit });
  return rows.map(({ handle }) => handle);
}

/** A message on an open phone, with its ids in the API. */
export type ScreenRow = RowOf<"phone-screen-messages">;

const PHONE_SCREEN_MESSAGES = statement(
  "phone-screen-messages",
  `select phone as "phone!", s.line_id, l.phone_number as line, s.ref, s.sender, s.group_ref, s.service, s.parts, s.effect as "effect: { type?: string; name?: string }",
    s.created_at, s.read_at, s.unsent_at, m.id as message_id, m.chat_id
  from unnest(:handles::text[]) as phone cross join lateral (
    select * from simulator_messages s
    where s.account_id = :accountId and s.handle = phone and (s.sender = phone or s.delivered_at is not null)
    order by s.created_at desc, s.ref desc limit ${MAX_MESSAGES}
  ) s
  join lines l on l.account_id = s.account_id and l.id = s.line_id
  left join transport_refs r on r.account_id = s.account_id and r.line_id = s.line_id and r.ref = s.ref
  left join messages m on m.account_id = r.account_id and m.id = r.message_id
  where s.account_id = :accountId
  order by phone, s.created_at desc, s.ref desc`,
);

/** Returns the latest messages that each phone sent or has received, newest first. */
export function findScreenRows(accountId: string, handles: readonly string[]): Promise<ScreenRow[]> {
  return sql.run(PHONE_SCREEN_MESSAGES, { accountId, handles });
}

/** A chat of the API, as a phone in it sees it. */
export type ScreenChat = RowOf<"phone-screen-chats">;

const PHONE_SCREEN_CHATS = statement(
  "phone-screen-chats",
  `select c.id, c.is_group, c.display_name, c.group_icon, c.left_at is not null as line_left, (
    select jsonb_agg(jsonb_build_object('handle', p.handle, 'is_me', p.is_me, 'status', p.status, 'name', s.name)
      order by p.joined_at, p.handle)
    from participants p
    left join simulator_phones s on s.account_id = p.account_id and s.handle = p.handle
    where p.account_id = c.account_id and p.chat_id = c.id) as "members!: { handle: string; is_me: boolean; status: string; name: string | null; }[]"
  from chats c where c.account_id = :accountId and c.id = any(:chatIds::uuid[])`,
);

/** Returns the chats with their current and former members. */
export function findScreenChats(accountId: string, chatIds: readonly string[]): Promise<ScreenChat[]> {
  return sql.run(PHONE_SCREEN_CHATS, { accountId, chatIds });
}

/** A line's typing or reading, as the network reported it to the phones. */
export type ScreenAction = RowOf<"phone-screen-actions">;

const PHONE_SCREEN_ACTIONS = statement(
  "phone-screen-actions",
  `with latest as (
    select * from simulator_actions where account_id = :accountId order by position desc limit ${MAX_ACTIONS}
  )
  select line_id, group_ref, handles, action ->> 'do' as "type!: 'read' | 'typing'", (action ->> 'isOn')::boolean as is_on, created_at
  from latest where action ->> 'do' in ('typing', 'read') order by position desc`,
);

/** Returns the account's latest typing and reading of lines, newest first. */
export function findScreenActions(accountId: string): Promise<ScreenAction[]> {
  return sql.run(PHONE_SCREEN_ACTIONS, { accountId });
}

/** A location that a phone shares with a line. */
export type ScreenLocation = RowOf<"phone-screen-locations">;

const PHONE_SCREEN_LOCATIONS = statement(
  "phone-screen-locations",
  `select s.handle, s.line_id, s.latitude, s.longitude, s.address, s.locality, s.ends_at
  from lines l join location_shares s on s.account_id = l.account_id and s.line_id = l.id
  where l.account_id = :accountId and s.handle = any(:handles::text[]) and s.ended_at is null`,
);

/** Returns the locations that these phones share with the account's lines. */
export function findScreenLocations(
  accountId: string,
  handles: readonly string[],
): Promise<ScreenLocation[]> {
  return sql.run(PHONE_SCREEN_LOCATIONS, { accountId, handles });
}

/** A line that phones can write to. */
export type ScreenLine = RowOf<"phone-screen-lines">;

const PHONE_SCREEN_LINES = statement(
  "phone-screen-lines",
  `select l.phone_number, l.line_type, nullif(concat_ws(' ', c.first_name, c.last_name), '') as name
  from lines l left join contact_cards c on c.account_id = l.account_id and c.line_id = l.id
  where l.account_id = :accountId and l.released_at is null order by l.line_type, l.created_at, l.id`,
);

/** Returns the account's lines with the names of their contact cards. */
export function findScreenLines(accountId: string): Promise<ScreenLine[]> {
  return sql.run(PHONE_SCREEN_LINES, { accountId });
}
