import fc from "fast-check";
import { expect, test } from "vitest";
import { skipBytes } from "@/lib/adapters/storage/disk/skip-bytes";

test("property: the rest after a number of bytes has every later byte and no empty chunk", () => {
  fc.assert(
    fc.property(
      fc.array(fc.uint8Array({ maxLength: 9 }), { maxLength: 9 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (chunks, part) => {
        const whole = Buffer.concat(chunks);
        const count = Math.round(part * whole.length);
        const rest = skipBytes(chunks, count);
        expect(Buffer.concat(rest).equals(whole.subarray(count))).toBe(true);
        expect(rest.every((chunk) => chunk.byteLength > 0)).toBe(true);
      },
    ),
  );
});
