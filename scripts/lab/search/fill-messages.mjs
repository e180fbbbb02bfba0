const CHATS = 500;
const BATCH = 10_000;
const SPAN = "90 days";

/** Words of many messages, the most frequent first. */
export const COMMON =
  "the you and is to it we for your on can please thanks order today yes delivery table time when ok hello sorry number address".split(
    " ",
  );
const RARE_WORDS = 30_000;
const SYLLABLES = "ba ce di fo gu ha ki lo mu ne pa qui ro sa te vu wa xe yo zi".split(" ");
const CHINESE = "雨傘 退款 訂位 送貨 發票 地址 禮物 尺寸".split(" ");

/** Word number n of the less frequent ones. Words with a higher number are in fewer messages. */
export function rareWord(n) {
  const number = n % RARE_WORDS;
  const at = (place) => SYLLABLES[Math.floor(number / SYLLABLES.length ** place) % SYLLABLES.length];
  return `${at(0)}${at(1)}${at(2)}${at(3)}`;
}

/** Creates an account with a line and chats. */
export async function createAccount(database) {
  const [account] = await database.query(
    `with p as (insert into partners (id, name) values (uuidv7(), 'Bench') returning id)
     insert into accounts (id, partner_id, name, type) select uuidv7(), id, 'bench', 'sandbox' from p
     returning id, partner_id`,
  );
  const [{ id: lineId }] = await database.query(
    `insert into lines (account_id, id, phone_number, line_type, transport, status, created_at)
     values ($1, uuidv7(), '+15550100001', 'iMessage', 'simulator', 'ACTIVE', now()) returning id`,
    [account.id],
  );
  await database.query(
    `with c as (
       insert into chats (account_id, id, line_id, line_type, is_group, recipient_handle, health_updated_at, last_activity_at,
         created_at, updated_at)
       select $1, uuidv7(), $2, 'iMessage', false, '+1556' || lpad(n::text, 7, '0'), now(), now(), now(), now()
       from generate_series(1, $3::int) n returning id, recipient_handle
     )
     insert into participants (account_id, id, chat_id, handle, is_me, service, joined_at)
     select $1, uuidv7(), c.id, p.handle, p.is_me, 'iMessage', now()
     from c cross join lateral (values (c.recipient_handle, false), ('+15550100001', true)) p(handle, is_me)`,
    [account.id, lineId, CHATS],
  );
  return { id: account.id, partnerId: account.partner_id, type: "sandbox", lineId };
}

/** Stores messages of 5 to 19 words until a time. Returns their number. */
export async function storeMessages(database, account, until) {
  let stored = 0;
  while (performance.now() < until) {
    const texts = Array.from({ length: BATCH }, (_, n) => textOf(stored + n));
    await database.query(STORE, [account.id, account.lineId, stored, texts]);
    stored += BATCH;
  }
  return stored;
}

/** The text of message number n. Every fifth has an order's number, and every seventh Chinese words. */
function textOf(n) {
  const words = Array.from({ length: 5 + (n % 15) }, (_, place) => wordAt(n * 31 + place));
  if (n % 5 === 0) words.push(String(100_000 + (n % 800_000)));
  if (n % 7 === 0) words.push(CHINESE[n % 8] + CHINESE[Math.floor(n / 8) % 8]);
  return words.join(" ");
}

/** Two words that message number n has beside each other. */
export function phraseAt(n) {
  return `${wordAt(n * 31 + 1)} ${wordAt(n * 31 + 2)}`;
}

// The frequency of words follows Zipf's law: word n is in about one of n words.
function wordAt(seed) {
  const share = ((Math.imul(seed, 2_654_435_761) >>> 0) % 1_000_003) / 1_000_003;
  const place = Math.floor((COMMON.length + RARE_WORDS) ** share) - 1;
  return COMMON[place] ?? rareWord(place - COMMON.length);
}

const STORE = `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
    created_at, updated_at)
  select $1, uuidv7(made.at - now()), p.chat_id, $2, p.id, p.is_me,
    jsonb_build_array(jsonb_build_object('type', 'text', 'value', made.text)), 'received', md5(made.n::text), made.at, made.at
  from (
    select $3::int + place as n, now() - interval '${SPAN}' + ($3::int + place) * interval '1 second' as at, text
    from unnest($4::text[]) with ordinality t(text, place)
  ) made
  join (select *, row_number() over (order by id) as number from participants where account_id = $1) p
    on p.number = 1 + made.n % ${CHATS * 2}`;
