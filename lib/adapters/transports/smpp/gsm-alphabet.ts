import "server-only";

/** The basic character set of GSM 03.38 in the order of its codes. Code 27 is the escape to the extension table. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const ESCAPE = 0x1b;

type Table = Readonly<Record<number, string>>;

/** A table of characters, each behind its code in hexadecimal. */
function table(characters: string): Table {
  const entries = characters
    .split(" ")
    .map((entry) => [Number.parseInt(entry.slice(0, 2), 16), entry.slice(2)]);
  return Object.fromEntries(entries);
}

/** The extension table: each character is the escape and a code. */
const EXTENSION = table("0a\f 14^ 28{ 29} 2f\\ 3c[ 3d~ 3e] 40| 65€");

/** The languages of the shift tables (3GPP TS 23.038, 6.2.1.2.4). Trunkline reads the European ones. */
const [TURKISH, SPANISH, PORTUGUESE] = [1, 2, 3];

/** The characters by which the locking shift tables differ from the basic set (3GPP TS 23.038, A.3). */
const LOCKING: Readonly<Record<number, Table>> = {
  0: {},
  [TURKISH]: table("04€ 07ı 0bĞ 0cğ 1cŞ 1dş 40İ 60ç"),
  [PORTUGUESE]: table(
    "04ê 06ú 07í 08ó 09ç 0bÔ 0cô 0eÁ 0fá 12ª 13Ç 14À 15∞ 16^ 17\\ 18€ 19Ó 1a| 1cÂ 1dâ 1eÊ 24º 40Í 5bÃ 5cÕ 5dÚ 60~ 7bã 7cõ 7d`",
  ),
};

/** The characters that the single shift tables add to the extension table (3GPP TS 23.038, A.2). */
const SINGLE: Readonly<Record<number, Table>> = {
  0: {},
  [TURKISH]: table("47Ğ 49İ 53Ş 63ç 67ğ 69ı 73ş"),
  [SPANISH]: table("09ç 41Á 49Í 4fÓ 55Ú 61á 69í 6fó 75ú"),
  [PORTUGUESE]: table(
    "05ê 09ç 0bÔ 0cô 0eÁ 0fá 12Φ 13Γ 15Ω 16Π 17Ψ 18Σ 19Θ 1fÊ 41À 49Í 4fÓ 55Ú 5bÃ 5cÕ 61Â 69í 6fó 75ú 7bã 7cõ 7fâ",
  ),
};

const CODES: ReadonlyMap<string, readonly number[]> = new Map([
  ...[...BASIC].flatMap((character, code) =>
    code === ESCAPE ? [] : [[character, [code]] satisfies [string, number[]]],
  ),
  ...Object.entries(EXTENSION).map(([code, character]): [string, number[]] => [
    character,
    [ESCAPE, Number(code)],
  ]),
]);

/** The codes of a character, one or two; null when the alphabet does not have it. */
export function gsmCodes(character: string): readonly number[] | null {
  return CODES.get(character) ?? null;
}

/** The shift tables that a message uses, by language. 0 = none. */
export interface ShiftTables {
  locking: number;
  single: number;
}

/** Whether Trunkline has the shift tables of a message. */
export function hasShiftTables({ locking, single }: ShiftTables): boolean {
  return LOCKING[locking] !== undefined && SINGLE[single] !== undefined;
}

/**
 * Decodes unpacked septets. A code that the extension table lacks is that of the basic set (GSM 03.38, 6.2.1.1), and an
 * octet above 127 is U+FFFD.
 */
export function decodeGsm(
  octets: Uint8Array,
  { locking, single }: ShiftTables = { locking: 0, single: 0 },
): string {
  const locked = LOCKING[locking] ?? {};
  const shifted = { ...EXTENSION, ...SINGLE[single] };
  const basic = (code: number) => locked[code] ?? BASIC[code] ?? "\ufffd";
  let text = "";
  let isShifted = false;
  for (const code of octets) {
    if (code === ESCAPE && !isShifted) {
      isShifted = true;
      continue;
    }
    text += isShifted ? (shifted[code] ?? (code === ESCAPE ? " " : basic(code))) : basic(code);
    isShifted = false;
  }
  return text;
}
