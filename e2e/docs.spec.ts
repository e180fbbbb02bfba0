import { expectAccessible, expectPagesAccessible } from "./accessible";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

test("axe finds nothing on guides and a quickstart in another language", async ({ page }) => {
  await expectPagesAccessible(page, [
    "/docs/guides/simulator",
    "/docs/guides/limits",
    "/docs/quickstarts/python",
  ]);
});

test("on a phone the menu of the documentation leads to a guide", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await page.goto("/docs");
  await page.getByRole("button", { name: "Open menu" }).click();
  await page.getByRole("link", { name: "Groups", exact: true }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Groups" })).toBeVisible();
  await expect(page.getByRole("button", { name: "Open menu" })).toBeVisible();
});

test("the search opens with the keyboard and leads to a section", async ({ page }) => {
  await page.goto("/docs");
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Search the docs" }).fill("leave a group");
  await expect(page.getByRole("option").first()).toBeVisible();
  await expectAccessible(page);
  await page.keyboard.press("Enter");
  await expect(page).toHaveURL(/\/docs\/(guides\/groups|reference\/chats)#/);
});

test("a guide shows this instance's URL, and is also a Markdown file", async ({ page, request }) => {
  await page.goto("/docs/guides/sending");
  const origin = new URL(page.url()).origin;
  await expect(page.getByText(`${origin}/v3/chats`).first()).toBeVisible();

  const markdown = await request.get("/docs/guides/sending.md");
  expect(markdown.headers()["content-type"]).toContain("text/markdown");
  expect(await markdown.text()).toMatch(/^# Send messages/);
  expect((await request.get("/docs/guides/nothing.md")).status()).toBe(404);
  for (const file of ["/llms.txt", "/llms-full.txt", "/docs/skill.md", "/docs/error/codes/2xxx/2024.md"]) {
    const response = await request.get(file);
    expect(response.status(), file).toBe(200);
    expect(await response.text(), file).not.toContain("trunkline.example.com");
  }
});

test("the explorer sends a request as the signed-in user and shows the events that followed", async ({
  page,
}) => {
  const outside: string[] = [];
  const refused: string[] = [];
  page.on("request", (request) => {
    if (/^https?:/.test(request.url()) && !request.url().startsWith(firstRun().base_url))
      outside.push(request.url());
  });
  page.on("console", (message) => {
    if (/Content Security Policy/i.test(message.text())) refused.push(message.text());
  });
  await page.goto("/docs/explorer#tag/messages/postMessages");
  await page.getByRole("button", { name: /Test Request.*post \/v3\/messages\)/ }).click();
  await page.getByRole("button", { name: /^Send/ }).first().click();

  const panel = page.getByRole("region", { name: "Last request" });
  await expect(panel.getByText("POST /v3/messages")).toBeVisible();
  await expect(panel.getByText("202", { exact: true })).toBeVisible();
  await expect(panel.getByRole("link", { name: "message.delivered" })).toBeVisible();
  expect(outside).toEqual([]);
  expect(refused).toEqual([]);
});

test("the page of an error code shows the account's last occurrences to a signed-in reader only", async ({
  page,
  browser,
}) => {
  const { base_url, token } = firstRun();
  await fetch(`${base_url}/v3/chats/not-a-uuid`, { headers: { authorization: `Bearer ${token}` } });
  // The request log is written in the background.
  await expect
    .poll(async () => (await page.request.get("/api/requests?error_code=1005")).text())
    .toContain("/v3/chats/not-a-uuid");
  await page.goto("/docs/error/codes/1xxx/1005");
  await expect(page.getByText("GET /v3/chats/not-a-uuid").first()).toBeVisible();

  const visitor = await browser.newPage({ baseURL: base_url, storageState: undefined });
  await visitor.goto("/docs/error/codes/1xxx/1005");
  await expect(visitor.getByRole("heading", { name: "Example response" })).toBeVisible();
  await expect(visitor.getByText("Last occurrences")).toHaveCount(0);
  await visitor.close();
});
