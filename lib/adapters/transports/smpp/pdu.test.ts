import fc from "fast-check";
import { PDU } from "smpp";
import { describe, expect, test } from "vitest";
import {
  type Command,
  decodePdu,
  encodePdu,
  type Fields,
  isResponse,
  responseTo,
  UnreadablePdu,
} from "@/lib/adapters/transports/smpp/pdu";
import { BrokenFrame, createFrameSplitter, MAX_PDU_SIZE } from "@/lib/adapters/transports/smpp/split-frames";

const octet = fc.integer({ min: 0, max: 255 });
const cstring = (maxLength: number) =>
  fc
    .array(fc.integer({ min: 1, max: 255 }), { maxLength })
    .map((codes) => Buffer.from(codes).toString("latin1"));
const octets = (maxLength: number) => fc.uint8Array({ maxLength }).map((bytes) => Buffer.from(bytes));
const messageFields: fc.Arbitrary<Fields> = fc.record({
  service_type: cstring(5),
  source_addr_ton: octet,
  source_addr_npi: octet,
  source_addr: cstring(20),
  dest_addr_ton: octet,
  dest_addr_npi: octet,
  destination_addr: cstring(20),
  esm_class: octet,
  protocol_id: octet,
  priority_flag: octet,
  schedule_delivery_time: cstring(16),
  validity_period: cstring(16),
  registered_delivery: octet,
  replace_if_present_flag: octet,
  data_coding: octet,
  sm_default_msg_id: octet,
  short_message: octets(255),
});
const optionalFields: fc.Arbitrary<Fields> = fc.record(
  {
    receipted_message_id: cstring(64),
    sar_msg_ref_num: fc.integer({ min: 0, max: 0xffff }),
    sar_total_segments: octet,
    sar_segment_seqnum: octet,
    message_payload: octets(2000),
    message_state: octet,
    network_error_code: octets(3),
  },
  { requiredKeys: [] },
);
const sequence = fc.integer({ min: 1, max: 0x7fffffff });

test("a message is decoded as it was encoded", () => {
  fc.assert(
    fc.property(messageFields, optionalFields, sequence, (fields, optional, number) => {
      const all = { ...fields, ...optional };
      const decoded = decodePdu(encodePdu("deliver_sm", all, { sequence: number }));
      expect(decoded).toEqual({
        command: "deliver_sm",
        commandId: 5,
        status: 0,
        sequence: number,
        fields: all,
      });
    }),
  );
});

test("the npm package smpp, another implementation, reads what the codec writes", () => {
  const fields = {
    source_addr: "12025550100",
    dest_addr_ton: 1,
    destination_addr: "15550107000",
    data_coding: 8,
  };
  const bytes = encodePdu(
    "submit_sm",
    { ...fields, short_message: Buffer.from("0048", "hex"), message_state: 2, sar_msg_ref_num: 300 },
    { sequence: 7 },
  );
  expect(new PDU(bytes as never)).toMatchObject({
    command: "submit_sm",
    sequence_number: 7,
    ...fields,
    message_state: 2,
    sar_msg_ref_num: 300,
  });
});

test("arbitrary bytes are decoded or refused, and never break the reader", () => {
  fc.assert(
    fc.property(octets(300), octet, (body, command) => {
      const frame = Buffer.concat([Buffer.alloc(16), body]);
      frame.writeUInt32BE(frame.length, 0);
      frame.writeUInt32BE(command, 4);
      try {
        decodePdu(frame);
      } catch (error) {
        expect(error).toBeInstanceOf(UnreadablePdu);
      }
    }),
  );
});

test("a stream is split into its PDUs wherever its chunks end", () => {
  const frames = fc.array(
    messageFields.map((fields) => encodePdu("deliver_sm", fields, { sequence: 1 })),
    {
      maxLength: 4,
    },
  );
  fc.assert(
    fc.property(
      frames,
      fc.array(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 20 }),
      (sent, sizes) => {
        const stream = Buffer.concat(sent);
        const splitter = createFrameSplitter();
        const received: Buffer[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length] ?? 1;
          received.push(...splitter.push(stream.subarray(at, at + size)));
          at += size;
        }
        expect(received).toEqual(sent);
      },
    ),
  );
});

test("arbitrary bytes never hang the splitter", () => {
  fc.assert(
    fc.property(fc.array(octets(40)), (chunks) => {
      const splitter = createFrameSplitter();
      try {
        for (const chunk of chunks) splitter.push(chunk);
      } catch (error) {
        expect(error).toBeInstanceOf(BrokenFrame);
      }
    }),
  );
});

test.each([0, 4, 15, MAX_PDU_SIZE + 1, 0xffffffff])(
  "a length of %i bytes breaks the stream at once",
  (length) => {
    const head = Buffer.alloc(4);
    head.writeUInt32BE(length, 0);
    expect(() => createFrameSplitter().push(head)).toThrow(BrokenFrame);
  },
);

function frameOf(commandId: number, body: Buffer): Buffer {
  const frame = Buffer.concat([Buffer.alloc(16), body]);
  frame.writeUInt32BE(frame.length, 0);
  frame.writeUInt32BE(commandId, 4);
  frame.writeUInt32BE(9, 12);
  return frame;
}

describe("a PDU of a peer that bends the rules", () => {
  test.each([
    ["without a body", Buffer.alloc(0), {}],
    ["whose ID has no NUL at its end", Buffer.from("4f2a"), { message_id: "4f2a" }],
    ["with an empty ID", Buffer.alloc(1), { message_id: "" }],
  ])("a response %s is read", (_, body, fields) => {
    expect(decodePdu(frameOf(0x80000004, body))).toMatchObject({ command: "submit_sm_resp", fields });
  });

  test("optional parameters in other sizes, unknown ones and a damaged last one leave the message readable", () => {
    const message = encodePdu("deliver_sm", { source_addr: "1" }, { sequence: 1 }).subarray(16);
    const optional = Buffer.concat([
      Buffer.from([0x14, 0x01, 0, 2, 1, 2]),
      Buffer.from([0x04, 0x27, 0, 2, 0, 5]),
      Buffer.from([0x00, 0x1e, 0, 4, 0x37, 0x38, 0, 0]),
      Buffer.from([0x02, 0x0c, 0, 9, 1]),
    ]);
    expect(decodePdu(frameOf(5, Buffer.concat([message, optional]))).fields).toMatchObject({
      source_addr: "1",
      message_state: 5,
      receipted_message_id: "78",
    });
  });

  test("a message whose length is longer than its text is refused with its sequence number", () => {
    const message = encodePdu("deliver_sm", { short_message: Buffer.from("hello") }, { sequence: 1 });
    const cut = frameOf(5, message.subarray(16, -2));
    expect(() => decodePdu(cut)).toThrow(expect.objectContaining({ commandId: 5, sequence: 9 }));
  });

  test("an unknown command has its ID, and generic_nack answers it", () => {
    expect(decodePdu(frameOf(0x112, Buffer.from("?")))).toMatchObject({ command: null, commandId: 0x112 });
    expect(responseTo(0x112)).toBe("generic_nack");
    expect(responseTo(5)).toBe("deliver_sm_resp");
  });
});

test.each<[Command, Fields]>([
  ["bind_transceiver", { password: "a\0b" }],
  ["bind_transceiver", { password: "пароль" }],
  ["submit_sm", { short_message: Buffer.alloc(256) }],
  ["submit_sm", { data_coding: 256 }],
])("%s with %j can't be encoded", (command, fields) => {
  expect(() => encodePdu(command, fields, { sequence: 1 })).toThrow(RangeError);
});

test("a refusal has no body", () => {
  const refusal = encodePdu("deliver_sm_resp", {}, { sequence: 3, status: 0x64 });
  expect(refusal).toHaveLength(16);
  expect(decodePdu(refusal)).toMatchObject({ command: "deliver_sm_resp", status: 0x64, sequence: 3 });
  expect(isResponse(decodePdu(refusal))).toBe(true);
});
