import { expectPagesAccessible } from "./accessible";
import { signInInvited } from "./invited-user";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

test("an operator sees the instance, and a flagged line appears as an alert without a reload", async ({
  page,
  request,
}) => {
  const { base_url, token, rcs_line } = firstRun();
  await page.goto("/instance");
  const processes = page.getByRole("table", { name: "Processes" });
  await expect(processes.getByRole("row").filter({ hasText: "Live" })).toHaveCount(1);
  await expect(page.getByRole("table", { name: "Queues" }).getByRole("row")).toHaveCount(5);
  await expect(page.getByText(`Line ${rcs_line} was flagged`)).toHaveCount(0);

  const setFlag = (status: string) =>
    request.put(`${base_url}/simulator/lines/${encodeURIComponent(rcs_line)}`, {
      headers: { authorization: `Bearer ${token}` },
      data: { status },
    });
  expect((await setFlag("FLAGGED")).ok()).toBe(true);
  await expect(page.getByText(`Line ${rcs_line} was flagged`)).toBeVisible({ timeout: 40_000 });
  await expectPagesAccessible(page, ["/instance"]);
  expect((await setFlag("ACTIVE")).ok()).toBe(true);
});

test("a person who is no operator has no Instance page", async ({ browser }) => {
  const page = await signInInvited(browser, "viewer");
  await page.goto("/");
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  await expect(page.getByRole("link", { name: "Instance" })).toHaveCount(0);
  await page.goto("/instance");
  await expect(page.getByRole("heading", { name: /not found/i })).toBeVisible();
  await page.context().close();
});
