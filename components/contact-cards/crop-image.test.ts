import { expect, test } from "vitest";
import { maxZoomOf, refuseImage } from "@/components/contact-cards/crop-image";

test("an image below the minimum size is rejected, and the error names its size", () => {
  expect(refuseImage({ width: 200, height: 200 }, 200)).toBeNull();
  expect(refuseImage({ width: 4000, height: 199 }, 200)).toContain("4000 by 199");
});

test("the zoom is limited so that the crop keeps the minimum size", () => {
  expect(maxZoomOf({ width: 200, height: 900 }, 200)).toBe(1);
  expect(maxZoomOf({ width: 500, height: 900 }, 200)).toBe(2.5);
  expect(maxZoomOf({ width: 9000, height: 9000 }, 200)).toBe(4);
});
