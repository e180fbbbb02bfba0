import { fileTypeFromBuffer } from "file-type";
import { expect, test } from "vitest";
import { makeSampleMemo, makeWav, toBase64 } from "@/components/phones/apps/make-wav";

test("the sample memo is a WAV file of about two seconds that fits into a message of a phone", async () => {
  const memo = makeSampleMemo();
  expect((await fileTypeFromBuffer(memo))?.ext).toBe("wav");
  const seconds = (memo.length - 44) / 2 / 16_000;
  expect(seconds).toBeCloseTo(1.92, 2);
  expect(memo.length).toBeLessThan(1024 * 1024);
});

test("samples louder than the format can hold are clipped", () => {
  const view = new DataView(makeWav(new Float32Array([2, -2, 0]), 8000).buffer);
  expect([44, 46, 48].map((at) => view.getInt16(at, true))).toEqual([0x7fff, -0x7fff, 0]);
  expect(view.getUint32(24, true)).toBe(8000);
});

test("bytes are encoded as Node encodes them", () => {
  const bytes = new Uint8Array([0, 1, 127, 128, 255]);
  expect(toBase64(bytes)).toBe(Buffer.from(bytes).toString("base64"));
});
