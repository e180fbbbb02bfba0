import { afterAll, beforeAll, describe } from "vitest";
import { type Connection, provideConnections } from "@/lib/adapters/transports/callback";
import { describeTransport } from "@/lib/adapters/transports/conformance";
import type { LineRef } from "@/lib/adapters/transports/refs";
import { newId } from "@/lib/platform/ids";
import { numericTransport } from "@/lib/testing/vendors/numeric-transport";
import { signedCallback, startNumericVendor } from "@/lib/testing/vendors/numeric-vendor";

const SECRET = "vendor-secret";
const line: LineRef = {
  accountId: newId(1),
  id: newId(1),
  phoneNumber: "+12025550100",
  lineType: "iMessage",
};

let vendor: Awaited<ReturnType<typeof startNumericVendor>>;
let connection: Connection;
let handles = 0;

beforeAll(async () => {
  vendor = await startNumericVendor(SECRET);
  connection = { url: vendor.url, secret: SECRET };
  provideConnections(async () => connection);
});
afterAll(() => vendor.close());

describe("a vendor with callbacks and polls", () => {
  describeTransport(() => ({
    transport: numericTransport,
    line,
    async recipient(behaviour) {
      const handle = `+1555010${1000 + ++handles}`;
      vendor.behave(handle, behaviour);
      return handle;
    },
    arrived: async (handle) => vendor.arrived(handle),
    read: async (handle) => vendor.report(handle, 3),
    reportAgain: async (handle) => vendor.report(handle, 2),
    newMessageId: () => newId(Date.now()),
    listen(sink) {
      vendor.callTo(async (request) => {
        const parsed = await numericTransport.parseCallback?.(line, connection, request);
        return sink.receive(line, parsed?.events ?? []).then(
          () => true,
          () => false,
        );
      });
      return { stop: async () => vendor.callTo(null) };
    },
    polls: {
      connection,
      async happen(count) {
        for (let times = 0; times < count; times++) vendor.write("+15550102100", `message ${times}`);
      },
    },
    callbacks: {
      connection,
      sign: (payload, secret = SECRET) => signedCallback(secret, payload),
      receipts: {
        receipts: [
          { number: 7, status: 3, at: 20 },
          { number: 7, status: 2, at: 10 },
        ],
      },
    },
  }));
});
