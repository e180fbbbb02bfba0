import "@/lib/testing/use-test-database";

import fc from "fast-check";
import { beforeAll, describe, expect, test } from "vitest";
import { parseParams } from "@/lib/payments/experiences/parse-params";
import { toCard } from "@/lib/payments/experiences/to-card";
import { validateExperience } from "@/lib/payments/experiences/validate-experience";
import { baseUrl } from "@/lib/platform/env";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";

let account: TestAccount;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

const TO = ["+16665550100"];
const open = (params: Record<string, unknown>, recipients: readonly string[] = TO) =>
  validateExperience(account.context(), { name: "link", action: "open", params }, recipients);

describe("the catalogue", () => {
  test("lists every experience with its actions and their exact fields", async () => {
    const { status, body } = await callApi("GET /v3/experiences", { token: account.token });
    expect(status).toBe(200);
    expect(body.experiences).toContainEqual({
      experience: "link",
      display_name: "Link",
      actions: [
        {
          name: "open",
          summary: expect.any(String),
          fields: {
            url: { type: "url", max: 2048, required: true },
            title: { type: "string", max: 128 },
            subtitle: { type: "string", max: 256 },
            note: { type: "string", max: 512 },
          },
        },
      ],
    });
  });

  test("shows each of the list by its name, and 404/1005 for an unknown name", async () => {
    const list = await callApi("GET /v3/experiences", { token: account.token });
    for (const listed of list.body.experiences) {
      const { body } = await callApi(`GET /v3/experiences/${listed.experience}`, { token: account.token });
      expect(body).toEqual(listed);
    }
    const unknown = await callApi("GET /v3/experiences/constructor", { token: account.token });
    expect([unknown.status, unknown.body.error.code]).toEqual([404, 1005]);
  });
});

describe("what is sent", () => {
  test("an experience with right params may be sent, and its card leads where it says", async () => {
    const valid = await open({ url: "https://example.com/menu", title: "Tonight's menu" });
    expect(valid.card).toMatchObject({
      url: "https://example.com/menu",
      title: "Tonight's menu",
      subject: null,
    });
  });

  test.each([
    ["an unknown key", { url: "https://example.com", titel: "Menu" }, /params\.titel is not a field/],
    ["a wrong type", { url: "https://example.com", title: 5 }, /params\.title must be a string/],
    ["a text that is too long", { url: "https://example.com", title: "x".repeat(129) }, /at most 128/],
    ["an empty text", { url: "https://example.com", title: "" }, /must not be empty/],
    ["a relative url", { url: "/menu" }, /absolute https/],
    ["an http url", { url: "http://example.com" }, /absolute https/],
    ["another scheme", { url: "javascript:alert(1)" }, /absolute https/],
    ["a url that is too long", { url: `https://example.com/${"x".repeat(2048)}` }, /at most 2048/],
    ["a key of every object", { url: "https://example.com", __proto__x: 1 }, /is not a field/],
  ])("%s is refused by name", async (_, params, message) => {
    await expect(open(params)).rejects.toMatchObject({ errorName: "parameter_invalid", message });
  });

  test("a missing required field is refused by name", async () => {
    await expect(open({})).rejects.toMatchObject({ errorName: "field_missing", message: /params\.url/ });
  });

  test("unknown names and actions are refused, also those every object has", async () => {
    for (const [name, action] of [
      ["nothing", "open"],
      ["link", "close"],
      ["link", "constructor"],
      ["toString", "open"],
    ] as const) {
      const sent = validateExperience(account.context(), { name, action, params: {} }, TO);
      await expect(sent).rejects.toMatchObject({ errorName: "parameter_invalid" });
    }
  });

  test("a card goes to exactly one recipient", async () => {
    for (const recipients of [[], ["+16665550100", "+16665550101"]]) {
      await expect(open({ url: "https://example.com" }, recipients)).rejects.toMatchObject({
        errorName: "parameter_invalid",
      });
    }
  });

  test("an address of this instance counts as https", async () => {
    const url = `${baseUrl().replace("https:", "http:")}/pay/harbor?session=cs_1`;
    expect((await open({ url })).card.url).toBe(url);
  });

  test("numbers are whole, and amounts not negative", () => {
    const fields = { tip: { type: "cents" }, guests: { type: "int" } } as const;
    fc.assert(
      fc.property(fc.double(), (value) => {
        const taken = (params: Record<string, unknown>) => {
          try {
            return parseParams(fields, params);
          } catch {
            return null;
          }
        };
        const whole = Number.isSafeInteger(value);
        expect(taken({ guests: value }) !== null).toBe(whole);
        expect(taken({ tip: value }) !== null).toBe(whole && value >= 0);
      }),
    );
  });
});

describe("the card", () => {
  test("has a still version for phones without the app and a text for those without cards", () => {
    const card = toCard({
      url: "https://example.com/pay",
      title: "Dinner for two",
      subtitle: "Harbor Kitchen",
      aside: "$42.00",
      subject: { type: "payment_request", id: "01a00000-0000-7000-8000-000000000000" },
    });
    expect(card.layout).toEqual({
      caption: "Dinner for two",
      subcaption: "Harbor Kitchen",
      trailing_caption: "$42.00",
    });
    expect(card.fallback_text).toBe("Dinner for two · $42.00 · Harbor Kitchen · https://example.com/pay");
  });

  test("says when what it is about is done", () => {
    const content = { url: "https://example.com/pay", title: "Dinner", subtitle: null, aside: null };
    const subject = { type: "payment_request", id: "01a00000-0000-7000-8000-000000000000" } as const;
    expect(toCard({ ...content, subject }, "done").layout.trailing_subcaption).toBe("Paid");
    expect(toCard({ ...content, subject: null }, "done").layout.trailing_subcaption).toBeUndefined();
  });
});
