import fc from "fast-check";
import { expect, test } from "vitest";
import { optOutHint } from "@/lib/recipients/opt-outs/opt-out-hint";
import { optOutKeyword } from "@/lib/recipients/opt-outs/opt-out-keyword";

test.each([
  ["Stop", "stop"],
  ["stop please", "stop"],
  ["REVOKE", "revoke"],
  ["STOPALL", "stopall"],
  ["STOP.", "stop"],
  ["OPT_OUT", "optout"],
  ["OPT  OUT", "optout"],
  ["please opt out", "optout"],
  ["Unsubscribe me!", "unsubscribe"],
  ["Cancel", "cancel"],
  ["quit it", "quit"],
  ["STOP\u200b", "stop"],
  ["\u202aSTOP\u202c", "stop"],
  ["ST\u200bOP", "stop"],
  ["STOP\ufe0f", "stop"],
  ["ＳＴＯＰ", "stop"],
  ["𝐒𝐓𝐎𝐏", "stop"],
  ["S̶T̶O̶P̶", "stop"],
  ["OPT\u2011OUT", "optout"],
  ["S T O P", "stop"],
  ["please s.t.o.p", "stop"],
  ["ARRET", "arret"],
  ["Arrêt", "arret"],
  ["СТОП", "стоп"],
  ["Стоп, пожалуйста", "стоп"],
])("%j is for a person to decide", (text, word) => {
  expect(optOutHint(text)).toBe(word);
});

test.each([
  "STOP",
  "opt-out",
  "",
  "hello",
  "the bus stops here",
  "please cancel my order for tonight",
  "that is the end of it",
  "a b c",
  "Das Ende vom Lied",
  "we will not stop until the very last of you is happy with it",
])("%j is none", (text) => {
  expect(optOutHint(text)).toBeNull();
});

test("no text is both a keyword and a hint", () => {
  const word = fc.constantFrom(
    "STOP",
    "stop",
    "OPT",
    "OUT",
    "opt-out",
    "QUIT",
    "end",
    "please",
    ".",
    " ",
    "\n",
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 6 }), fc.constantFrom("", " "), (words, between) => {
      const text = words.join(between);
      expect(optOutKeyword(text) !== null && optOutHint(text) !== null).toBe(false);
    }),
  );
});

test("a short message with a clear word is noticed in any case, whatever stands around it", () => {
  const clear = fc.constantFrom("stop", "stopall", "unsubscribe", "revoke");
  const around = fc.constantFrom("", "please ", "now! ", "ok, ");
  fc.assert(
    fc.property(clear, around, fc.boolean(), (word, before, upper) => {
      const text = `${before}${upper ? word.toUpperCase() : word}.`;
      expect(optOutHint(text)).toBe(word);
    }),
  );
});

test.each([
  ["end it", "end"],
  ["Cancel it.", "cancel"],
  ["please cancel", "cancel"],
  ["please cancel it", null],
  ["this is the end", null],
])("a vague word counts among two words at most: %s", (text, hint) => {
  expect(optOutHint(text)).toBe(hint);
});

test("a clear word counts among eight words, and not among nine", () => {
  const eight = "would you please stop all of these messages";
  expect(optOutHint(eight)).toBe("stop");
  expect(optOutHint(`${eight} now`)).toBeNull();
});
