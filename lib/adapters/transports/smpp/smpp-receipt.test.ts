import { expect, test } from "vitest";
import { decodePdu } from "@/lib/adapters/transports/smpp/pdu";
import { deliveryTypeOf, parseReceipt } from "@/lib/adapters/transports/smpp/smpp-receipt";

const RECEIPT = 0x04;
const textOf = (text: string) => ({ esm_class: RECEIPT, short_message: Buffer.from(text, "latin1") });
const WHOLE =
  "id:4f2A sub:001 dlvrd:001 submit date:2611230100 done date:2611230101 stat:DELIVRD err:000 text:hi";

test.each([
  ["as in appendix B", WHOLE, ["4f2A"], "delivered", "DELIVRD, error 000"],
  [
    "without sub and dlvrd",
    "id:1 submit date:1 done date:2 stat:UNDELIV err:011 text:",
    ["1"],
    "failed",
    "UNDELIV, error 011",
  ],
  ["with keys in other cases", "ID:1 STAT:expired ERR:3", ["1"], "failed", "expired, error 3"],
  [
    "with spaces behind the colons",
    "id: 1 sub: 001 stat: REJECTD err: 21b",
    ["1"],
    "failed",
    "REJECTD, error 21b",
  ],
  ["with commas", "id:1,sub:001,stat:DELIVRD,err:0", ["1"], "delivered", "DELIVRD, error 0"],
  [
    "with a text that looks like a receipt",
    `id:1 stat:UNDELIV err:5 Text:id:2 stat:DELIVRD err:0`,
    ["1"],
    "failed",
    "UNDELIV, error 5",
  ],
  ["without an error", "id:1 stat:DELETED", ["1"], "failed", "DELETED"],
  ["with a state written out", "id:1 stat:DELIVERED err:000", ["1"], "delivered", "DELIVERED, error 000"],
  [
    "with an ID like a UUID",
    "id:9f0b1c3e-4d5e-6f70-8a9b-0c1d2e3f4a5b stat:FAILED",
    ["9f0b1c3e-4d5e-6f70-8a9b-0c1d2e3f4a5b"],
    "failed",
    "FAILED",
  ],
  ["with an underscore in ASCII", "id:msg_1@x stat:DELIVRD", ["msg_1@x"], "delivered", "DELIVRD"],
  ["behind an octet 0", "\0id:1 stat:DELIVRD err:00", ["1"], "delivered", "DELIVRD, error 00"],
  [
    "with time zones in its dates",
    "id:rdwjwxns18krxr sub:000 dlvrd:000 submit date:180711070003912+ done date:180711070000012+ stat:UNDELIV err:000",
    ["rdwjwxns18krxr"],
    "failed",
    "UNDELIV, error 000",
  ],
  ["that is on its way", "id:1 stat:ENROUTE err:000", ["1"], null, "ENROUTE, error 000"],
  ["that was accepted", "id:1 stat:ACCEPTD err:000", ["1"], null, "ACCEPTD, error 000"],
  ["with NUL at its end", "id:1 stat:DELIVRD err:000\0", ["1"], "delivered", "DELIVRD, error 000"],
])("a receipt %s is read", (_, text, ids, state, reason) => {
  expect(parseReceipt(textOf(text), "gsm")).toEqual({ ids, state, reason: `the carrier reported ${reason}` });
});

test.each([
  ["ASCII, whatever the data_coding says", { data_coding: 8, short_message: Buffer.from(WHOLE) }],
  ["UCS-2", { data_coding: 8, short_message: Buffer.from(WHOLE, "utf16le").swap16() }],
  ["8-bit octets", { data_coding: 4, short_message: Buffer.from(WHOLE) }],
  ["a message_payload", { message_payload: Buffer.from(WHOLE) }],
  ["a message class", { data_coding: 0xf5, short_message: Buffer.from(WHOLE) }],
])("a receipt in %s is read", (_, fields) => {
  expect(parseReceipt({ esm_class: RECEIPT, ...fields }, "gsm")).toMatchObject({
    ids: ["4f2A"],
    state: "delivered",
  });
});

test.each([
  [2, "delivered"],
  [3, "failed"],
  [5, "failed"],
  [8, "failed"],
  [1, null],
  [6, null],
])("a receipt in optional parameters alone, with state %i, is %s", (message_state, state) => {
  const network_error_code = Buffer.from([3, 0, 11]);
  const fields = { esm_class: RECEIPT, receipted_message_id: "1", message_state, network_error_code };
  expect(parseReceipt(fields, "gsm")).toMatchObject({ ids: ["1"], state });
  expect(parseReceipt(fields, "gsm")?.reason).toContain("error 11");
});

test("a captured deliver_sm with optional parameters that Trunkline does not know is read", () => {
  // The body of a receipt in the issue 70 of the public PHP client, with made-up numbers.
  const text =
    "id:117062714244798261 sub:001 dlvrd:001 submit date:1706271624 done date:1706271624 stat:DELIVRD err:0000 text:H\u001bello world";
  const body = Buffer.concat([
    Buffer.from("000101", "hex"),
    Buffer.from("15550107000\0"),
    Buffer.from("0500", "hex"),
    Buffer.from("HARBOR\0"),
    Buffer.from(`0400000000000000${"00"}${text.length.toString(16)}`, "hex"),
    Buffer.from(text, "latin1"),
    Buffer.from("0423000300000014540004000000011418000400000000", "hex"),
  ]);
  const frame = Buffer.concat([Buffer.alloc(16), body]);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(5, 4);
  const { fields } = decodePdu(frame);
  expect(fields).toMatchObject({ source_addr: "15550107000", destination_addr: "HARBOR", esm_class: 4 });
  expect(parseReceipt(fields, "gsm")).toMatchObject({ ids: ["117062714244798261"], state: "delivered" });
});

test("the ID of the optional parameter comes before that of the text", () => {
  const fields = { ...textOf("id:255 stat:DELIVRD"), receipted_message_id: "ff" };
  expect(parseReceipt(fields, "gsm")?.ids).toEqual(["ff", "255"]);
});

test.each([
  ["a receipt", 0x04, WHOLE, "receipt"],
  ["a receipt with mode bits", 0x07, WHOLE, "receipt"],
  ["a receipt that names no message", 0x04, "thanks", "receipt"],
  ["an intermediate notification", 0x20, WHOLE, "receipt"],
  ["an acknowledgement of the delivery", 0x08, "", "receipt"],
  ["an acknowledgement with a receipt", 0x10, WHOLE, "receipt"],
  ["an acknowledgement that a person wrote", 0x10, "2", "message"],
  ["a receipt without its type", 0x00, WHOLE, "unmarked"],
  ["a message", 0x00, "hello", "message"],
  ["a message with a header", 0x40, "\0hello", "message"],
])("%s (esm_class %i) is classified", (_, esm_class, text, type) => {
  const fields = { ...textOf(text), esm_class };
  expect(deliveryTypeOf(fields, parseReceipt(fields, "gsm"))).toBe(type);
});
