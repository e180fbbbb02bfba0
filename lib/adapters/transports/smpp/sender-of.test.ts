import { expect, test } from "vitest";
import { senderOf } from "@/lib/adapters/transports/smpp/sender-of";

test.each([
  [1, "15550107000", "US", "+15550107000"],
  [1, "+15550107000", "US", "+15550107000"],
  [1, "0015550107000", "US", "+15550107000"],
  [1, "68849", "US", "68849"],
  [1, "015112345678", "DE", "+4915112345678"],
  [1, "015112345678", "US", "015112345678"],
  [2, "2025561212", "US", "+12025561212"],
  [2, "015112345678", "DE", "+4915112345678"],
  [2, "15112345678", "DE", "+4915112345678"],
  [2, "2025561212", null, "2025561212"],
  [0, "68849", "US", "68849"],
  [0, "2025561212", "US", "+12025561212"],
  [0, "4915112345678", "DE", "+4915112345678"],
  [0, "+4915112345678", "US", "+4915112345678"],
  [3, "68849", "US", "68849"],
  [3, "2025561212", "US", "2025561212"],
  [6, "4711", "DE", "4711"],
  [5, "MyBank", "US", "MyBank"],
  [5, "2025561212", "US", "2025561212"],
  [1, "MyBank", "US", "MyBank"],
  [1, "", "US", "unknown"],
  [undefined, "15550107000", "US", "+15550107000"],
] as const)(
  "a sender of type %s, %j, on a line of %s is %s",
  (source_addr_ton, source_addr, country, handle) => {
    const ton = source_addr_ton === undefined ? {} : { source_addr_ton };
    expect(senderOf({ source_addr, ...ton }, country)).toBe(handle);
  },
);
