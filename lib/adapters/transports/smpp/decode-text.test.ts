import { expect, test } from "vitest";
import { decodeText, encodingOf } from "@/lib/adapters/transports/smpp/decode-text";
import { readUserData } from "@/lib/adapters/transports/smpp/user-data";

const NO_SHIFT = { locking: 0, single: 0 };

function decode(dataCoding: number, hex: string, alphabet: "gsm" | "latin1" = "gsm"): string {
  return decodeText(Buffer.from(hex.replaceAll(" ", ""), "hex"), encodingOf(dataCoding, alphabet, NO_SHIFT));
}

const latin = (text: string) => Buffer.from(text, "latin1").toString("hex");

test.each([
  ["the default alphabet, GSM 7-bit", 0, "00 11 1b65 1b28 41 1b29", "@_€{A}"],
  ["an escape of a code without an extension", 0, "1b41 1b", "A"],
  ["octets above 127 in the default alphabet", 0, latin("café"), "café"],
  ["UTF-8 in the default alphabet", 0, Buffer.from("Привет").toString("hex"), "Привет"],
  ["IA5", 1, latin("mail a@b.c [x] $5_"), "mail a@b.c [x] $5_"],
  ["IA5 with a character of Latin-1", 1, latin("é"), "é"],
  ["octets that are text", 2, latin("hello"), "hello"],
  ["octets that are UTF-8", 4, Buffer.from("hello 👍").toString("hex"), "hello 👍"],
  ["octets that are Latin-1", 4, latin("caf\xe9"), "café"],
  ["octets that are no text", 4, "0605040b8423f0", "[Message that can't be shown: 7 bytes]"],
  ["a single octet that is no text", 2, "01", "[Message that can't be shown: 1 byte]"],
  ["Latin-1", 3, latin("caf\xe9"), "café"],
  ["Latin-1 with characters of Windows", 3, "80 93 94", "€“”"],
  ["JIS with escapes", 5, "1b2442 467c 4b5c 1b2842", "日本"],
  ["JIS as Shift_JIS", 5, "93fa 967b", "日本"],
  ["JIS as EUC-JP", 5, "c6fc cbdc b8ec fdfd", "[Message that can't be shown: 8 bytes]"],
  ["Cyrillic", 6, "bf e0 d8 d2 d5 e2", "Привет"],
  ["Hebrew", 7, "f9 ec e5 ed", "שלום"],
  ["UCS-2", 8, "041f 0440 d83d de00", "Пр😀"],
  ["UCS-2 with a NUL at its end", 8, "0048 0069 00", "Hi"],
  ["UCS-2 that is cut", 8, "0048 0069 04", "Hi\ufffd"],
  ["UCS-2 with a byte order mark", 8, "feff 0048", "H"],
  ["UCS-2 in the other byte order", 8, "fffe 4800", "H"],
  ["a pictogram encoding, which is reserved", 9, latin("hello"), "hello"],
  ["ISO-2022-JP", 10, "1b2442 467c 4b5c 1b2842", "日本"],
  ["extended Kanji JIS", 13, "c6fc cbdc", "日本"],
  ["Korean", 14, "c7d1 b1db", "한글"],
  ["Korean that can't be read", 14, "ff", "[Message that can't be shown: 1 byte]"],
  ["a reserved coding", 0x0b, "00 41", "@A"],
  ["GSM 7-bit with class 0", 0x10, "00 41", "@A"],
  ["GSM 7-bit with class 2", 0x12, "00 41 1b65", "@A€"],
  ["8-bit with class 0", 0x14, latin("hello"), "hello"],
  ["UCS-2 with class 0", 0x18, "041f", "П"],
  ["a reserved alphabet with a class", 0x1c, "00 41", "@A"],
  ["a compressed text", 0x20, "1234", "[Message that can't be shown: 2 bytes]"],
  ["a text to be deleted automatically, in UCS-2", 0x48, "041f", "П"],
  ["a reserved group", 0x84, "00 41", "@A"],
  ["a waiting message, discarded", 0xc8, "00 41", "@A"],
  ["a waiting message, stored", 0xd0, "00 41", "@A"],
  ["a waiting message, stored, in UCS-2", 0xe0, "041f", "П"],
  ["a message class in GSM 7-bit", 0xf0, "00 41", "@A"],
  ["a message class 2 in GSM 7-bit", 0xf2, "00 41 1b3c", "@A["],
  ["a message class in 8-bit", 0xf5, latin("hello"), "hello"],
  ["an empty text", 4, "", ""],
])("%s (data_coding %i) is read", (_, dataCoding, hex, text) => {
  expect(decode(dataCoding, hex)).toBe(text);
});

test("a default alphabet of Latin-1 does not change the message classes of GSM", () => {
  expect(decode(0, latin("a@b_$ \xe9"), "latin1")).toBe("a@b_$ é");
  expect(decode(0x10, "00", "latin1")).toBe("@");
  expect(decode(0x0b, "40", "latin1")).toBe("@");
});

test("every data_coding gives a text for any octets", () => {
  for (let dataCoding = 0; dataCoding < 256; dataCoding++) {
    for (const hex of ["", "00", "1b", "ff", "d83d", "00480069", "1b24", "8181818181"]) {
      expect(typeof decode(dataCoding, hex)).toBe("string");
    }
  }
});

const withHeader = (header: string, text: string) => ({
  esm_class: 0x40,
  short_message: Buffer.from((header + text).replaceAll(" ", ""), "hex"),
});

test.each([
  ["an 8-bit reference", withHeader("05 00 03 4d 02 01", "41"), "udh8 77", 2, 1],
  ["a 16-bit reference", withHeader("06 08 04 012c 03 02", "41"), "udh16 300", 3, 2],
  ["a reference behind ports", withHeader("0b 05 04 0b84 23f0 00 03 07 02 02", "41"), "udh8 7", 2, 2],
  [
    "sar parameters",
    { sar_msg_ref_num: 300, sar_total_segments: 2, sar_segment_seqnum: 1, short_message: Buffer.from("A") },
    "sar 300",
    2,
    1,
  ],
  [
    "a header in message_payload",
    { esm_class: 0x40, message_payload: Buffer.from("05000301020141", "hex") },
    "udh8 1",
    2,
    1,
  ],
])("the place of a part follows from %s", (_, fields, reference, total, number) => {
  const { part, octets } = readUserData(fields);
  expect(part).toEqual({ reference, total, number });
  expect(octets.toString()).toBe("A");
});

test.each([
  ["a number of 0", withHeader("05 00 03 4d 02 00", "41"), "A"],
  ["a number above the total", withHeader("05 00 03 4d 02 03", "41"), "A"],
  ["a total of 1", withHeader("05 00 03 4d 01 01", "41"), "A"],
  ["a header that is cut", withHeader("05 00 09 4d 01 01", "41"), "A"],
  ["a header longer than the text", withHeader("41 42", ""), "AB"],
  ["no header indicator", { short_message: Buffer.from("hello") }, "hello"],
  ["no content", {}, ""],
])("with %s, a message is whole and its text is kept", (_, fields, text) => {
  const { part, octets } = readUserData(fields);
  expect(part).toBeNull();
  expect(octets.toString()).toBe(text);
});

test.each([
  ["Turkish, locking", "03 25 01 01", "04 07 0b 1c 40 60", "€ıĞŞİç"],
  ["Turkish, single", "03 24 01 01", "1b47 1b73 1b65 41", "Ğş€A"],
  ["Spanish, single", "03 24 01 02", "1b61 1b4f 1b09 1b28", "áÓç{"],
  ["Portuguese, locking", "03 25 01 03", "04 12 5b 7b 17", "êªÃã\\"],
  ["Portuguese, both", "06 24 01 03 25 01 03", "1b05 1b7f 0b", "êâÔ"],
  ["Hindi, which has no table", "03 25 01 06", "04", "[Message that can't be shown: 1 byte]"],
])("the shift tables of %s are read", (_, header, hex, text) => {
  const { octets, shift } = readUserData(withHeader(header, hex));
  expect(decodeText(octets, encodingOf(0, "gsm", shift))).toBe(text);
});
