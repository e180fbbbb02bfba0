import "@/lib/testing/use-test-database";

import { beforeAll, expect, test } from "vitest";
import { openPage } from "@/lib/testing/open-page";

beforeAll(() => {
  process.env.APPLE_APP_CLIP_IDS = "ABCDE12345.com.example.pay.Clip,ABCDE12345.com.example.Clip";
  process.env.APPLE_PAY_DOMAIN_ASSOCIATION = "7B227073704964";
});

test("the app clips that may open checkout links are listed in Apple's format", async () => {
  const { response, text } = await openPage("/.well-known/apple-app-site-association");
  expect([response.status, response.headers.get("content-type")]).toEqual([200, "application/json"]);
  expect(JSON.parse(text)).toEqual({
    appclips: { apps: ["ABCDE12345.com.example.pay.Clip", "ABCDE12345.com.example.Clip"] },
  });
});

test("the host's association with Apple Pay is served as it was given", async () => {
  const { response, text } = await openPage("/.well-known/apple-developer-merchantid-domain-association");
  expect([response.status, text]).toEqual([200, "7B227073704964"]);
  expect(response.headers.get("content-type")).toMatch(/^text\/plain/);
});
