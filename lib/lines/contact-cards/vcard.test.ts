import fc from "fast-check";
import { expect, test } from "vitest";
import { toVcardText } from "@/lib/lines/contact-cards/vcard";

test("a card has its names, the preferred number first, and its photo", () => {
  const text = toVcardText({
    firstName: "Harbor, Inc.",
    lastName: "Kitchen; Bar",
    phoneNumbers: ["+15550100001", "+15550100002"],
    photo: Buffer.from("jpeg"),
  });
  expect(text).toBe(
    [
      "BEGIN:VCARD",
      "VERSION:3.0",
      "N:Kitchen\\; Bar;Harbor\\, Inc.;;;",
      "FN:Harbor\\, Inc. Kitchen\\; Bar",
      "TEL;TYPE=CELL,PREF:+15550100001",
      "TEL;TYPE=CELL:+15550100002",
      "PHOTO;ENCODING=b;TYPE=JPEG:anBlZw==",
      "END:VCARD",
      "",
    ].join("\r\n"),
  );
});

test("property: for any name, no line is longer than 75 bytes, none is added, and unfolding restores the name", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", minLength: 1, maxLength: 300 }), (firstName) => {
      const text = toVcardText({ firstName, lastName: null, phoneNumbers: ["+15550100001"], photo: null });

      for (const line of text.split("\r\n")) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
      const lines = text.replaceAll("\r\n ", "").split("\r\n");
      expect(lines).toHaveLength(7);
      const unescaped = lines[3]?.slice(3).replace(/\\(.)/g, (_, mark) => (mark === "n" ? "\n" : mark));
      expect(unescaped).toBe(firstName.replace(/\r\n|\r/g, "\n"));
    }),
  );
});
