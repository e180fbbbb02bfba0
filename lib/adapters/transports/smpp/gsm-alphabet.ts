import "server-only";

/** The basic character set of GSM 03.38 in the order of its codes. Code 27 is the escape to the extension table. */
const BASIC =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u001bÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const ESCAPE = 0x1b;

/** The extension table: each character is the escape and a code. */
const EXTENSION: Readonly<Record<string, number>> = {
  "\f": 0x0a,
  "^": 0x14,
  "{": 0x28,
  "}": 0x29,
  "\\": 0x2f,
  "[": 0x3c,
  "~": 0x3d,
  "]": 0x3e,
  "|": 0x40,
  "€": 0x65,
};

const CODES: ReadonlyMap<string, readonly number[]> = new Map([
  ...[...BASIC].flatMap((character, code) =>
    code === ESCAPE ? [] : [[character, [code]] satisfies [string, number[]]],
  ),
  ...Object.entries(EXTENSION).map(([character, code]): [string, number[]] => [character, [ESCAPE, code]]),
]);

const EXTENDED: ReadonlyMap<number, string> = new Map(
  Object.entries(EXTENSION).map(([character, code]) => [code, character]),
);

/** The codes of a character, one or two; null when the alphabet does not have it. */
export function gsmCodes(character: string): readonly number[] | null {
  return CODES.get(character) ?? null;
}

const ESCAPED = new RegExp(`${String.fromCharCode(ESCAPE)}(.?)`, "gs");

/** Completes extended characters whose escape and code arrived in different parts of a message. */
export function completeEscapes(text: string): string {
  return text.replace(ESCAPED, (_, character: string) => {
    const [code] = gsmCodes(character) ?? [];
    return (code !== undefined && EXTENDED.get(code)) || character;
  });
}
