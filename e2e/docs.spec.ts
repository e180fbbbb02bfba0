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

test("the images of a guide are drawn, fit a phone, follow the theme and take their room before they are loaded", async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const held = Promise.withResolvers<void>();
  await page.route("**/docs/images/**", async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto("/docs/guides/lines/android", { waitUntil: "domcontentloaded" });
  const images = page.getByRole("main").getByRole("img");
  await expect(images).toHaveCount(5);
  const sizes = () =>
    images.evaluateAll((all) => all.map((one) => [one.clientWidth, one.clientHeight].map(Math.round)));
  const before = await sizes();
  held.resolve();
  for (const image of await images.all()) {
    await image.scrollIntoViewIfNeeded();
    // An SVG that is not well-formed has no width.
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(480);
  }
  expect(await sizes()).toEqual(before);
  for (const [width = 0, height = 0] of before) {
    expect(width).toBeGreaterThan(340);
    expect(width).toBeLessThan(390);
    expect(height).toBeGreaterThan(200);
  }

  /** A part of the first image's ground. */
  async function ground(): Promise<Buffer> {
    const image = images.first();
    await image.scrollIntoViewIfNeeded();
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(480);
    const { x = 0, y = 0, height = 0 } = (await image.boundingBox()) ?? {};
    return page.screenshot({ clip: { x: x + 4, y: y + height / 2, width: 8, height: 8 } });
  }
  await page.emulateMedia({ colorScheme: "light" });
  const light = await ground();
  // The chosen theme counts, not that of the computer.
  await page.evaluate(() => localStorage.setItem("theme", "dark"));
  await page.reload();
  await expect(page.locator("html")).toHaveClass(/dark/);
  expect((await ground()).equals(light)).toBe(false);
  await page.evaluate(() => localStorage.removeItem("theme"));
  await page.reload();
  await expectAccessible(page, { widths: [1280, 390] });
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
