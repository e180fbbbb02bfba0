import { describe, expect, test } from "vitest";
import { hideSecrets } from "@/lib/messaging/search/words/hide-secrets";
import { messageVector } from "@/lib/messaging/search/words/message-terms";
import { splitWords } from "@/lib/messaging/search/words/split-words";

const termsOf = (text: string) =>
  splitWords(text).flatMap(({ words, joined }) => [...words.map(({ term }) => term), ...joined]);

describe("words", () => {
  test.each([
    ["Déjà vu, naïve CAFÉ", ["deja", "vu", "naive", "cafe"]],
    ["Straße, Øresund", ["strasse", "oresund"]],
    ["مَرْحَبًا بكم", ["مرحبا", "بكم"]],
    ["ПРИВЕТ Ёлка", ["привет", "елка"]],
    ["don't", ["don", "t", "dont"]],
    ["l’hôtel", ["l", "hotel", "lhotel"]],
    ["e-mail", ["e", "mail", "email"]],
    ["INV2024", ["inv", "2024", "inv2024"]],
    ["invoice-2024.pdf", ["invoice", "2024", "pdf"]],
    ["sam@example.com", ["sam", "example", "com"]],
    ["$1,200.50", ["1", "200", "50", "1200.50", "1200"]],
    ["1.200,50 €", ["1", "200", "50", "1200.50", "1200"]],
    ["42.00", ["42", "00", "42"]],
    ["٤٢ كيلو", ["42", "كيلو"]],
    ["+1 (555) 010-0101", ["1", "555", "010", "0101", "15550100101", "5550100101", "0100101"]],
    ["雨傘を忘れた", ["雨傘", "傘を", "を忘", "忘れ", "れた", "た"]],
    ["ร่ม", ["ร่", "่ม", "ม"]],
    ["우산을", ["우산", "산을", "을"]],
    ["iPhoneを", ["iphone", "を"]],
    ["ｶﾞﾗｽ", ["ガラ", "ラス", "ス"]],
    ["🎉 done", ["🎉", "done"]],
    ["…!?", []],
  ])("of %s are %j", (text, terms) => {
    expect(termsOf(text)).toEqual(terms);
  });

  test("stand where the text has them, and count on without a gap", () => {
    const text = "Your ＡＢＣ order: 雨傘 x2";
    const words = splitWords(text).flatMap((group) => group.words);
    expect(words.map(({ start, end }) => text.slice(start, end))).toEqual([
      "Your",
      "ＡＢＣ",
      "order",
      "雨傘",
      "傘",
      "x",
      "2",
    ]);
    expect(words.map(({ position }) => position)).toEqual([1, 2, 3, 4, 5, 6, 7]);
  });

  test("a very long text is split in time, up to the last position that PostgreSQL counts", () => {
    const words = splitWords("ab ".repeat(30_000)).flatMap((group) => group.words);
    expect(words).toHaveLength(16_000);
  });

  test.each([
    ["a million marks of one kind", `a${"\u0301".repeat(1_000_000)}`, "a"],
    ["a million marks in the wrong order", `a${"\u0301\u0323".repeat(500_000)}`, "a"],
    ["a million marks of another script", `${"\u0301\u0316".repeat(500_000)}`, "\u0316"],
    ["a million voicing marks", `\uff76${"\uff9e".repeat(1_000_000)}`, "\u30ac"],
  ])("%s are read in time", (_, text, beginning) => {
    const [first] = termsOf(text);
    expect(first?.startsWith(beginning)).toBe(true);
    expect(first?.length).toBeLessThanOrEqual(64);
  });

  test("of a sentence without spaces are read up to the last position, also if it is longer", () => {
    expect(splitWords("雨傘".repeat(20_000)).flatMap((group) => group.words)).toHaveLength(16_000);
    expect(splitWords("a.".repeat(20_000)).flatMap((group) => group.words)).toHaveLength(16_000);
  });

  test("are never longer than PostgreSQL allows", () => {
    const longest = (text: string) => Math.max(...termsOf(text).map(({ length }) => length));
    expect(longest(`1${",000".repeat(2000)}`)).toBeLessThanOrEqual(64);
    expect(longest("9".repeat(4000))).toBeLessThanOrEqual(64);
    expect(longest("\ufdfa".repeat(300))).toBeLessThanOrEqual(64);
    expect(longest("\u{1d586}".repeat(300))).toBeLessThanOrEqual(64);
  });
});

test("the vector of a message stays below the megabyte that PostgreSQL allows", () => {
  const letters = (n: number) =>
    [...String(n)].map((digit) => String.fromCodePoint(0x430 + Number(digit))).join("");
  const text = Array.from({ length: 8000 }, (_, n) => `${"ж".repeat(50)}${letters(n)}-q`).join(" ");
  const plain = { text_decorations: null, inline_stickers: null, mentions: null };
  const parts = [{ type: "text" as const, value: text, ...plain }];
  const vector = messageVector({ parts, options: [] }, { chatId: "c", lineId: "l" }, "abcd");
  const size = Buffer.byteLength(vector);
  expect(size).toBeGreaterThan(300_000);
  expect(size).toBeLessThan(900_000);
  expect(vector).toMatch(/~c\S{8}' 'abcd~l\S{8}'$/);
});

const hide = (text: string) => hideSecrets([text])[0] ?? "";

describe("never searchable is", () => {
  test.each([
    ["a one-time code", "Your verification code is 123456.", "123456"],
    ["a code in two groups", "Use 123-456 as your login code", "123-456"],
    ["a code with a prefix", "G-482913 is your Google verification code", "G-482913"],
    ["a code of letters and digits", "Code: XK42P9", "XK42P9"],
    ["a Chinese code", "您的验证码是 837261，请勿泄露", "837261"],
    ["a Japanese code", "認証コード：4821", "4821"],
    ["a Korean code", "인증번호 [302918]을 입력하세요", "302918"],
    ["a Thai code", "รหัส OTP ของคุณคือ 718293", "718293"],
    ["an Arabic code", "رمز التحقق الخاص بك هو 552201", "552201"],
    ["a Russian code", "Ваш код: 9921", "9921"],
    ["a German code", "Ihr Code lautet 778812", "778812"],
    ["a code alone", "482913", "482913"],
    ["a code alone in two groups", " 482 913\n", "482 913"],
    ["a code alone with a prefix", "G-482913.", "G-482913"],
    ["a code in words for its use", "Use 482913 to sign in to Acme", "482913"],
    ["a code before a name", "482913 is your Acme login", "482913"],
    ["a code of a name without a word for it", "482913 is your Acme number", "482913"],
    ["several codes", "Your codes are 482913 and 774411", "774411"],
    ["a code in single digits", "Your code is 4 8 2 9 1 3", "4 8 2 9 1 3"],
    ["a token of digits", "token: 482913", "482913"],
    ["a security key", "Your security key 4829", "4829"],
    ["a Vietnamese code", "Mã xác nhận của bạn là 482913", "482913"],
    ["a Vietnamese code in decomposed letters", "ma\u0303 482913", "482913"],
    ["a Turkish code", "Doğrulama kodunuz 482913", "482913"],
    ["a Turkish password", "Şifreniz: 482913", "482913"],
    ["a Hindi code", "आपका ओटीपी 482913 है", "482913"],
    ["a Hindi code in Hindi digits", "कोड ४८२९१३", "४८२९१३"],
    ["a code in a German compound", "Ihr Bestätigungscode lautet 778812", "778812"],
    ["a Polish code", "Twój kod: 778812", "778812"],
    ["a Greek code", "Ο κωδικός σας είναι 778812", "778812"],
    ["a Persian code", "کد تایید شما ۷۷۸۸۱۲", "۷۷۸۸۱۲"],
    ["a short password", "pass: hunter2", "hunter2"],
    ["a password without a separator", "password hunter2", "hunter2"],
    ["the security code of a card", "CVV 123", "123"],
    ["the security code of a card in words", "the security code on the back is 123", "123"],
    ["a card number with dots", "4242.4242.4242.4242", "4242.4242.4242.4242"],
    [
      "a card number with other spaces",
      "4242\u00a04242\u00a04242\u00a04242",
      "4242\u00a04242\u00a04242\u00a04242",
    ],
    ["a password", "the password is hunter2!", "hunter2!"],
    ["a Spanish password", "Contraseña: Verano2026", "Verano2026"],
    ["a card number", "card 4242 4242 4242 4242 exp 12/29", "4242 4242 4242 4242"],
    ["an API key", "key sk_live_51HxA9bCdEfGh23 please", "sk_live_51HxA9bCdEfGh23"],
    ["the query of a URL", "https://example.com/reset?token=abc", "?token=abc"],
    ["the secret part of a link", "pay at https://example.com/pay/shop/a81bc21d", "a81bc21d"],
  ])("%s", (_, text, secret) => {
    const hidden = hide(text);
    expect(hidden).toHaveLength(text.length);
    expect(text).toContain(secret);
    const at = text.indexOf(secret);
    expect(hidden.slice(at, at + secret.length).trim()).toBe("");
  });

  test.each([
    "Order 202411 ships on 2026-11-28 for $1,250.00",
    "Call +1 555 010 0101 or 555-0101",
    "Our zip code is 94107",
    "Use promo code SAVE20 for 20% off",
    "Room 1204, table for 12",
    "Order 019ca9c2-4c03-7d64-bc33-5e9f40718293",
    "Tracking 1Z999AA10123456784",
    "See https://example.com/menu/lunch",
    "I forgot my password please help",
    "1204 is your room number",
    "Kod pocztowy 00950",
    "Order 123 for 4 people, 2026",
    "19",
  ])("nothing of: %s", (text) => {
    expect(hide(text)).toBe(text);
  });
});

test("a word for codes in one text of a message hides the numbers in the others", () => {
  expect(hideSecrets(["Your code:", "number 482913", "CVV", "number 123"])).toEqual([
    "Your code:",
    "number       ",
    "CVV",
    "number    ",
  ]);
  expect(hideSecrets(["Your order:", "number 482913"])).toEqual(["Your order:", "number 482913"]);
});

test.each([
  ["marks", `a${"\u0301\u0323".repeat(500_000)}`],
  ["spaces after a password's name", `password${" ".repeat(1_000_000)}`],
  ["names of passwords", "password ".repeat(100_000)],
  ["digits", "5".repeat(1_000_000)],
  ["digits in groups", "4242 ".repeat(200_000)],
  ["letters", "a".repeat(1_000_000)],
  ["capital letters", "A".repeat(1_000_000)],
  ["Turkish letters", `şifre${"ş".repeat(1_000_000)}`],
  ["words for use", "use ".repeat(250_000)],
  ["a path", `https://example.com/${"a/".repeat(500_000)}`],
  ["spaces", `482913${" ".repeat(1_000_000)}x`],
])("a million %s are read in time", (_, text) => {
  expect(hide(text)).toHaveLength(text.length);
});
