import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test } from "vitest";
import { indexMessages } from "@/lib/messaging/search/index-messages";
import { searchMessageViews } from "@/lib/messaging/search/search-message-views";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";

const never = new AbortController().signal;
const MESSAGES_OF_SCRIPT = 150;
const QUERIES_OF_SCRIPT = 40;

/** Words of conversations with a shop, and what joins them in a sentence. Words of `isSpaceless` are found anywhere. */
const SCRIPTS = {
  latin: {
    words:
      "umbrella refund café table naïve delivery Straße invoice señor mañana garçon parcel broken received Øresund window tomorrow crème brûlée O'Neill e-mail don't size medium",
    join: " ",
    isSpaceless: false,
  },
  cyrillic: {
    words:
      "зонт возврат столик доставка завтра ёлка счёт посылка адрес магазин подарок размер цвет красный синий оплата",
    join: " ",
    isSpaceless: false,
  },
  arabic: {
    words: "مظلة استرداد طاولة توصيل غدا فاتورة عنوان هدية حجم لون أحمر أزرق دفع مرحبًا شكرًا مدرسة",
    join: " ",
    isSpaceless: false,
  },
  han: {
    words:
      "雨傘 退款 訂位 送貨 明天 發票 地址 禮物 尺寸 顏色 紅色 付款 ありがとう 予約 キャンセル 住所 サイズ カバン",
    join: "",
    isSpaceless: true,
  },
  thai: {
    words: "ร่ม คืนเงิน โต๊ะ จัดส่ง พรุ่งนี้ ใบเสร็จ ที่อยู่ ของขวัญ ขนาด สี แดง น้ำเงิน ชำระ ขอบคุณ",
    join: "",
    isSpaceless: true,
  },
} as const;

type Script = keyof typeof SCRIPTS;

interface Query {
  q: string;
  /** Whether a text must be found. */
  expects: (text: string) => boolean;
}

let account: TestAccount;
/** The texts of the messages by id. */
const texts = new Map<string, string>();

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  const chatId = await createDirectChat(account, await createTestPhone(account));
  const generated = Object.keys(SCRIPTS).flatMap((script) => generateTexts(script as Script));
  const rows = await sql.runText<{ id: string; text: string }>({
    text: `insert into messages (account_id, id, chat_id, line_id, sender_id, is_from_me, parts, delivery_status, trace_id,
             created_at, updated_at)
           select m.account_id, (left(m.id::text, 24) || lpad(n::text, 12, '0'))::uuid, m.chat_id, m.line_id, m.sender_id,
             false, jsonb_build_array(jsonb_build_object('type', 'text', 'value', t.text)), 'received', m.trace_id,
             m.created_at, m.updated_at
           from messages m cross join unnest($2::text[]) with ordinality as t(text, n) where m.chat_id = $1
           returning id, parts->0->>'value' as text`,
    values: [chatId, generated],
  });
  for (const { id, text } of rows) texts.set(id, text);
  await indexMessages(never);
  await indexMessages(never);
});

describe.each(Object.keys(SCRIPTS) as Script[])("in %s", (script) => {
  test(`${QUERIES_OF_SCRIPT} searches find every message with the words, and no other`, async () => {
    const queries = generateQueries(script);
    expect(queries).toHaveLength(QUERIES_OF_SCRIPT);
    for (const { q, expects } of queries) {
      const wanted = [...texts].filter(([, text]) => expects(text)).map(([, text]) => text);
      expect(wanted.length, `messages with ${q}`).toBeGreaterThan(0);
      const found = await findAll(q);
      expect(found.sort(), q).toEqual(wanted.sort());
    }
  });
});

/** The texts of all pages. */
async function findAll(q: string): Promise<string[]> {
  const ids: string[] = [];
  let cursor: string | undefined;
  do {
    const query = { q, zone: "UTC", limit: 100, ...(cursor !== undefined && { cursor }) };
    const page = await searchMessageViews(account.context(), { query });
    ids.push(...page.messages.map(({ id }) => id));
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined);
  return ids.map((id) => texts.get(id) ?? `the unknown message ${id}`);
}

/** A sequence of numbers below `count` that is the same in every run. */
function numbers(seed: number): (count: number) => number {
  let state = seed;
  return (count) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * count);
  };
}

function wordsOf(script: Script): string[] {
  return SCRIPTS[script].words.split(" ");
}

function generateTexts(script: Script): string[] {
  const next = numbers(script.length * 7919);
  const words = wordsOf(script);
  return Array.from({ length: MESSAGES_OF_SCRIPT }, (_, n) => {
    const sentence = Array.from({ length: 3 + next(6) }, () => words[next(words.length)]).join(
      SCRIPTS[script].join,
    );
    return n % 3 === 0 ? `${sentence} ${script.length}${1000 + n}` : `${sentence}.`;
  });
}

/** The form in which this test compares texts: its own, with no code of the search. */
function plain(text: string): string {
  const isMarkOfLetters = /(?<=[a-zа-яёøßء-ي])\p{M}/gu;
  const letters = text
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(isMarkOfLetters, "")
    .replaceAll(isMarkOfLetters, "");
  return letters
    .normalize("NFC")
    .replaceAll("ß", "ss")
    .replaceAll("ø", "o")
    .replaceAll("ة", "ه")
    .replaceAll(/['’-]/g, " ");
}

function generateQueries(script: Script): Query[] {
  const next = numbers(script.length * 104_729);
  const own = [...texts.values()].filter((text) => wordsOf(script).some((word) => text.startsWith(word)));
  return Array.from({ length: QUERIES_OF_SCRIPT }, (_, n) => {
    const text = own[next(own.length)] ?? "";
    return SCRIPTS[script].isSpaceless ? spacelessQuery(text, n, next) : wordQuery(text, n, next);
  });
}

/** Any part of a text, or its number. */
function spacelessQuery(text: string, n: number, next: (count: number) => number): Query {
  const number = /\d+/.exec(text)?.[0];
  if (n % 5 === 0 && number !== undefined) return { q: number, expects: hasWords([number]) };
  const characters = [...text.replace(/[\d. ]+$/, "")];
  const start = next(characters.length - 1);
  const q = characters.slice(start, start + 1 + next(5)).join("");
  return { q, expects: (each) => plain(each).includes(plain(q)) };
}

/** A word, the beginning of one, a word without its accents in capitals, two words, or a phrase. */
function wordQuery(text: string, n: number, next: (count: number) => number): Query {
  const words = text.replace(/\.$/, "").split(" ");
  const at = next(words.length - 1);
  const word = words[at] ?? "";
  const after = words[at + 1] ?? "";
  switch (n % 5) {
    case 0:
      return { q: word, expects: hasWords([word]) };
    case 1:
      return { q: word.slice(0, 3), expects: hasWords([word.slice(0, 3)]) };
    case 2:
      return { q: plain(word).toUpperCase(), expects: hasWords([word]) };
    case 3:
      return { q: `${after} ${word}`, expects: hasWords([word, after]) };
    default:
      return {
        q: `"${word} ${after}"`,
        expects: (each) => ` ${plain(each).replace(/\.$/, "")} `.includes(` ${plain(word)} ${plain(after)} `),
      };
  }
}

/** Whether a text has a word that begins with each of these; of those that are several, the last one. */
function hasWords(starts: readonly string[]): (text: string) => boolean {
  return (text) => starts.every((start) => ` ${plain(text)}`.includes(` ${plain(start)}`));
}
