import { COMMON, phraseAt, rareWord } from "./fill-messages.mjs";

/** The searches that are measured, each a function of the number of its run. */
export const SEARCHES = [
  { name: "a word of a few messages", q: (n) => rareWord(15_000 + n * 7) },
  { name: "a word that no message has", q: (n) => `absent${n}` },
  { name: "a word of every third message", q: (n) => COMMON[n % 5] },
  { name: "the beginning of many words", q: (n) => rareWord(n * 11).slice(0, 2) },
  { name: "two words", q: (n) => `${COMMON[n % 20]} ${rareWord(1000 + n * 13)}` },
  { name: "a phrase", q: (n) => `"${phraseAt(n * 101)}"` },
  { name: "an order's number", q: (n) => String(100_000 + n * 37) },
  {
    name: "two Chinese characters",
    q: (n) => "雨傘退款訂位送貨發票地址禮物尺寸".slice((n % 8) * 2, (n % 8) * 2 + 2),
  },
  {
    name: "a word in the messages of one person",
    q: (n) => `${COMMON[n % 20]} from:+1556${String(1 + (n % 500)).padStart(7, "0")}`,
  },
];
