import "server-only";

/** The fields of a vCard. */
export interface Vcard {
  firstName: string;
  lastName: string | null;
  /** In E.164; the first is preferred. */
  phoneNumbers: readonly string[];
  /** JPEG bytes. */
  photo: Buffer | null;
}

const LINE_BYTES = 75;

/** Formats a vCard 3.0 (RFC 2426), the version that every address book supports: escaped, folded, with CRLF. */
export function toVcardText({ firstName, lastName, phoneNumbers, photo }: Vcard): string {
  const name = [lastName ?? "", firstName, "", "", ""].map(escaped).join(";");
  const lines = [
    "BEGIN:VCARD",
    "VERSION:3.0",
    `N:${name}`,
    `FN:${escaped([firstName, lastName].filter((part) => part !== null).join(" "))}`,
    ...phoneNumbers.map((number, index) => `TEL;TYPE=CELL${index === 0 ? ",PREF" : ""}:${number}`),
    ...(photo === null ? [] : [`PHOTO;ENCODING=b;TYPE=JPEG:${photo.toString("base64")}`]),
    "END:VCARD",
  ];
  return lines.map((line) => `${fold(line)}\r\n`).join("");
}

function escaped(text: string): string {
  return text.replace(/[\\;,]/g, "\\$&").replace(/\r\n|\r|\n/g, "\\n");
}

// At most 75 bytes per line, never within a character. Continuation lines begin with a space.
function fold(line: string): string {
  const folded: string[] = [];
  let current = "";
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > LINE_BYTES) {
      folded.push(current);
      [current, bytes] = [" ", 1];
    }
    current += character;
    bytes += size;
  }
  return [...folded, current].join("\r\n");
}
