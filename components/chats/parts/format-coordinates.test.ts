import { expect, test } from "vitest";
import { formatCoordinates } from "@/components/chats/parts/format-coordinates";

test.each([
  [37.7749, -122.4194, "37.77490° N, 122.41940° W"],
  [-33.8688, 151.2093, "33.86880° S, 151.20930° E"],
  [0, 0, "0.00000° N, 0.00000° E"],
])("%d, %d is written %s", (latitude, longitude, text) => {
  expect(formatCoordinates(latitude, longitude)).toBe(text);
});
