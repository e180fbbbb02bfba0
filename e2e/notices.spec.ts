import { newPhone, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

test("the use of a revoked token shows a notice behind the bell of every page, which leads to the tokens and can be dismissed", async ({
  page,
}) => {
  const name = `Leaked ${Date.now()}`;
  const { chatId } = await newPhone();
  const headers = { origin: firstRun().base_url };
  const created = await page.request.post("/api/tokens", { data: { name }, headers });
  const { token, api_token } = await created.json();
  await page.request.delete(`/api/tokens/${api_token.id}`, { headers });
  const notices = page.getByRole("region", { name: "Notices" });
  const notice = notices.getByRole("article", { name });
  const bell = page.getByRole("button", { name: /^(\d+\+? notices|1 notice)$/ });
  // Endpoints from other tests may have more severe notices, which hide this one until all notices are shown.
  const expectNotice = async () => {
    await bell.click();
    await expect(notices).toBeVisible();
    const more = notices.getByRole("button", { name: /^Show \d+ more$/ });
    if (await more.isVisible()) await more.click();
    await expect(notice).toBeVisible();
  };
  await page.goto("/events");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);

  expect((await sendRequest("GET /v3/phone_numbers", undefined, token)).status).toBe(401);

  await expectNotice();
  await page.goto(`/chats/${chatId}`);
  await expectNotice();
  await notice.getByRole("link", { name: "View details" }).click();
  await expect(page).toHaveURL(/\/tokens$/);
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Revoked");
  await expectNotice();
  await notice.getByRole("button", { name: /^Dismiss/ }).click();
  await expect(notice).toHaveCount(0);
  expect(await (await page.request.get("/api/notices?status=open")).text()).not.toContain(name);

  await page.goto("/notices?status=past");
  const past = page.getByRole("row").filter({ hasText: name });
  await expect(past).toContainText("Dismissed");
  await past.getByRole("button", { name: /^Show again/ }).click();
  await expect(past).toHaveCount(0);
  expect(await (await page.request.get("/api/notices?status=open")).text()).toContain(name);
});

test("a phone shows notices only behind the bell", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("/events");
  const heading = page.getByRole("heading", { level: 1 });
  await expect(heading).toBeVisible();
  expect((await heading.boundingBox())?.y).toBeLessThan(140);
});
