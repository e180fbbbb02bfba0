/** Zeros of the decimal digits that people type: Arabic, Persian, Devanagari, Bengali, Thai, Lao and fullwidth. */
const ZEROS = [0x660, 0x6f0, 0x966, 0x9e6, 0xe50, 0xed0, 0xff10];
const MARKS_OF_ALPHABETS =
  /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Arabic}\p{Script=Hebrew}])\p{M}+/gu;
const TATWEEL = /\u0640/g;

/** Letters that no decomposition makes equal, and that people type for each other. */
const ALIKE: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
  ة: "ه",
  ى: "ي",
  ی: "ي",
  ک: "ك",
};
const ALIKE_LETTER = new RegExp(`[${Object.keys(ALIKE).join("")}]`, "gu");

/**
 * The form in which words are compared: lower case, without accents and vowel marks of alphabets, with the digits 0 to 9
 * and one width. Other scripts keep their marks, which are letters there. For short texts: putting n marks in order can
 * take n² steps.
 */
export function foldText(text: string): string {
  return text
    .normalize("NFKD")
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(MARKS_OF_ALPHABETS, "$1")
    .replaceAll(TATWEEL, "")
    .normalize("NFKC")
    .replaceAll(ALIKE_LETTER, (letter) => ALIKE[letter] ?? letter)
    .replaceAll(/\p{Nd}/gu, toDigit);
}

function toDigit(digit: string): string {
  const code = digit.codePointAt(0) ?? 0;
  const zero = ZEROS.find((each) => code >= each && code < each + 10);
  return zero === undefined ? digit : String(code - zero);
}
