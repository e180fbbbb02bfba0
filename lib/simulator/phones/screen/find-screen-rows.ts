import "server-only";
import { sql } from "@/lib/platform/database/db";
import type { ServiceType } from "@/lib/platform/prisma/enums";

/** Per phone, over all its conversations. */
const MAX_MESSAGES = 150;
const MAX_ACTIONS = 200;

/** Returns the handles of the phones that were used last, latest first. */
export async function findLatestPhones(accountId: string, limit: number): Promise<string[]> {
  const rows = await sql.query<{ handle: string }>({
    name: "phone-screen-latest",
    text: `select p.handle from simulator_phones p left join lateral (
             select s.created_at from simulator_messages s
             where s.account_id = p.account_id and s.handle = p.handle order by s.created_at desc limit 1
           ) last on true
           where p.account_id = $1 order by coalesce(last.created_at, p.created_at) desc, p.handle limit $2`,
    values: [accountId, limit],
  });
  return rows.map(({ handle }) => handle);
}

/** A message on an open phone, with its ids in the API. */
export interface ScreenRow {
  phone: string;
  line_id: string;
  line: string;
  ref: string;
  sender: string;
  group_ref: string | null;
  service: ServiceType;
  parts: unknown;
  effect: { type?: string; name?: string } | null;
  created_at: Date;
  read_at: Date | null;
  unsent_at: Date | null;
  message_id: string | null;
  chat_id: string | null;
}

/** Returns the latest messages that each phone sent or has received, newest first. */
export function findScreenRows(accountId: string, handles: readonly string[]): Promise<ScreenRow[]> {
  return sql.query<ScreenRow>({
    name: "phone-screen-messages",
    text: `select phone, s.line_id, l.phone_number as line, s.ref, s.sender, s.group_ref, s.service, s.parts, s.effect,
             s.created_at, s.read_at, s.unsent_at, m.id as message_id, m.chat_id
           from unnest($2::text[]) as phone cross join lateral (
             select * from simulator_messages s
             where s.account_id = $1 and s.handle = phone and (s.sender = phone or s.delivered_at is not null)
             order by s.created_at desc, s.ref desc limit ${MAX_MESSAGES}
           ) s
           join lines l on l.account_id = s.account_id and l.id = s.line_id
           left join transport_refs r on r.account_id = s.account_id and r.line_id = s.line_id and r.ref = s.ref
           left join messages m on m.account_id = r.account_id and m.id = r.message_id
           where s.account_id = $1
           order by phone, s.created_at desc, s.ref desc`,
    values: [accountId, handles],
  });
}

/** A chat of the API, as a phone in it sees it. */
export interface ScreenChat {
  id: string;
  is_group: boolean;
  display_name: string | null;
  /** A StoredImage, or null. */
  group_icon: unknown;
  line_left: boolean;
  members: { handle: string; is_me: boolean; status: string; name: string | null }[];
}

/** Returns the chats with their current and former members. */
export function findScreenChats(accountId: string, chatIds: readonly string[]): Promise<ScreenChat[]> {
  return sql.query<ScreenChat>({
    name: "phone-screen-chats",
    text: `select c.id, c.is_group, c.display_name, c.group_icon, c.left_at is not null as line_left, (
             select jsonb_agg(jsonb_build_object('handle', p.handle, 'is_me', p.is_me, 'status', p.status, 'name', s.name)
               order by p.joined_at, p.handle)
             from participants p
             left join simulator_phones s on s.account_id = p.account_id and s.handle = p.handle
             where p.account_id = c.account_id and p.chat_id = c.id) as members
           from chats c where c.account_id = $1 and c.id = any($2::uuid[])`,
    values: [accountId, chatIds],
  });
}

/** A line's typing or reading, as the network reported it to the phones. */
export interface ScreenAction {
  line_id: string;
  group_ref: string | null;
  handles: string[];
  type: "typing" | "read";
  is_on: boolean | null;
  created_at: Date;
}

/** Returns the account's latest typing and reading of lines, newest first. */
export function findScreenActions(accountId: string): Promise<ScreenAction[]> {
  return sql.query<ScreenAction>({
    name: "phone-screen-actions",
    text: `with latest as (
             select * from simulator_actions where account_id = $1 order by position desc limit ${MAX_ACTIONS}
           )
           select line_id, group_ref, handles, action ->> 'do' as type, (action ->> 'isOn')::boolean as is_on, created_at
           from latest where action ->> 'do' in ('typing', 'read') order by position desc`,
    values: [accountId],
  });
}

/** A location that a phone shares with a line. */
export interface ScreenLocation {
  handle: string;
  line_id: string;
  latitude: number | null;
  longitude: number | null;
  address: string | null;
  locality: string | null;
  ends_at: Date | null;
}

/** Returns the locations that these phones share with the account's lines. */
export function findScreenLocations(
  accountId: string,
  handles: readonly string[],
): Promise<ScreenLocation[]> {
  return sql.query<ScreenLocation>({
    name: "phone-screen-locations",
    text: `select s.handle, s.line_id, s.latitude, s.longitude, s.address, s.locality, s.ends_at
           from lines l join location_shares s on s.account_id = l.account_id and s.line_id = l.id
           where l.account_id = $1 and s.handle = any($2::text[]) and s.ended_at is null`,
    values: [accountId, handles],
  });
}

/** A line that phones can write to. */
export interface ScreenLine {
  phone_number: string;
  line_type: ServiceType;
  name: string | null;
}

/** Returns the account's lines with the names of their contact cards. */
export function findScreenLines(accountId: string): Promise<ScreenLine[]> {
  return sql.query<ScreenLine>({
    name: "phone-screen-lines",
    text: `select l.phone_number, l.line_type, nullif(concat_ws(' ', c.first_name, c.last_name), '') as name
           from lines l left join contact_cards c on c.account_id = l.account_id and c.line_id = l.id
           where l.account_id = $1 and l.released_at is null order by l.line_type, l.created_at, l.id`,
    values: [accountId],
  });
}
