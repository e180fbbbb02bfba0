import { newPhone, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

test("the use of a revoked token shows a notice on every page at once, which leads to the tokens and can be dismissed", async ({
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
  // Endpoints from other tests may have more severe notices, which hide this one until all notices are shown.
  const expectNoticeOf = () =>
    expect(async () => {
      const more = notices.getByRole("button", { name: /^Show \d+ more$/ });
      if (await more.isVisible()) await more.click();
      await expect(notice).toBeVisible({ timeout: 1000 });
    }).toPass({ timeout: 10_000 });
  await page.goto("/events");
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);

  expect((await sendRequest("GET /v3/phone_numbers", undefined, token)).status).toBe(401);

  await expectNoticeOf();
  await page.goto(`/chats/${chatId}`);
  await expectNoticeOf();
  await notice.getByRole("link", { name: "View details" }).click();
  await expect(page).toHaveURL(/\/tokens$/);
  await expect(page.getByRole("row").filter({ hasText: name })).toContainText("Revoked");
  await notice.getByRole("button", { name: /^Dismiss/ }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);
  expect(await (await page.request.get("/api/notices")).text()).not.toContain(name);
});
