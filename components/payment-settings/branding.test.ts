import { expect, test } from "vitest";
import { changesOf } from "@/components/payment-settings/branding";

const SAVED = { slug: "harbor", name: "Harbor", color: "#123456", logo: "https://cdn.example/logo.png" };

test("only changed fields are sent, and a selected logo as its bytes", () => {
  expect(changesOf(SAVED, SAVED)).toEqual({});
  expect(changesOf(SAVED, { ...SAVED, logo: "data:image/jpeg;base64,/9j/4AA=" })).toEqual({
    logo: "/9j/4AA=",
  });
});

test("an emptied colour and a logo that was taken off are null", () => {
  expect(changesOf(SAVED, { ...SAVED, color: "", logo: null })).toEqual({ color: null, logo: null });
});
