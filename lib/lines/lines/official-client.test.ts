import "@/lib/testing/use-test-database";

import LinqAPIV3 from "@linqapp/sdk";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone } from "@/lib/testing/factories";
import { serveApi } from "@/lib/testing/serve-api";

let account: TestAccount;
let client: LinqAPIV3;
let api: Awaited<ReturnType<typeof serveApi>>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  api = await serveApi();
  client = new LinqAPIV3({ apiKey: account.token, baseURL: api.baseUrl, maxRetries: 0 });
});

afterAll(() => api.close());

test("the official client lists lines in both shapes and forwards one", async () => {
  const [line] = (await client.phoneNumbers.list()).phone_numbers;
  const [deprecated] = (await client.phonenumbers.list()).phone_numbers;
  expect([line?.phone_number, deprecated?.phone_number]).toEqual([account.line, account.line]);
  expect(line?.reputation).toEqual(line?.health_status);

  const id = line?.id ?? "";
  const set = await client.phoneNumbers.update(id, { forwarding_number: "+15550004001" });
  expect(set).toEqual({ id, phone_number: account.line, forwarding_number: "+15550004001" });
  expect((await client.phoneNumbers.update(id, { forwarding_number: null })).forwarding_number).toBeNull();
});

test("the official client asks for a line for several recipients, whose list it joins by commas", async () => {
  const answer = await client.availableNumber.retrieve({ to: ["+15550004002", "ada@example.com"] });
  expect(answer.phone_number).toBe(account.line);
  expect(answer.vcf_url).toMatch(/^http.+\.vcf\?expires=\d+&signature=/);
});

test("the official client sets a contact card up, changes and reads it, and hears why not", async () => {
  const missing = client.contactCard.update({ phone_number: account.line, first_name: "Pier" });
  await expect(missing).rejects.toMatchObject({ status: 404, error: { error: { code: 2012 } } });

  const card = await client.contactCard.create({ phone_number: account.line, first_name: "Harbor" });
  expect(card).toEqual({ phone_number: account.line, first_name: "Harbor", is_active: true });
  const again = client.contactCard.create({ phone_number: account.line, first_name: "Harbor" });
  await expect(again).rejects.toMatchObject({ status: 409, error: { error: { code: 2014 } } });

  const changed = await client.contactCard.update({ phone_number: account.line, last_name: "Kitchen" });
  expect(changed).toEqual({ ...card, last_name: "Kitchen" });
  const { contact_cards } = await client.contactCard.retrieve({ phone_number: account.line });
  expect(contact_cards).toEqual([changed]);
});

test("the official client checks a recipient, and the next check has to wait", async () => {
  const address = await createTestPhone(account, { platform: "iphone" });
  expect(await client.capability.checkIMessage({ address })).toMatchObject({ address, available: true });
  const next = client.capability.checkRCS({ address });
  await expect(next).rejects.toMatchObject({ status: 429, error: { error: { code: 1007 } } });
});
