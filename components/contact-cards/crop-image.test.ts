import { expect, test } from "vitest";
import { refuseImage, zoomMost } from "@/components/contact-cards/crop-image";

test("a picture is refused below the least pixels on either side, saying what it has", () => {
  expect(refuseImage({ width: 200, height: 200 }, 200)).toBeNull();
  expect(refuseImage({ width: 4000, height: 199 }, 200)).toContain("4000 by 199");
});

test("one zooms in only as far as the least pixels are left", () => {
  expect(zoomMost({ width: 200, height: 900 }, 200)).toBe(1);
  expect(zoomMost({ width: 500, height: 900 }, 200)).toBe(2.5);
  expect(zoomMost({ width: 9000, height: 9000 }, 200)).toBe(4);
});
