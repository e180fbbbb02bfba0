import { expect, test } from "@playwright/test";
import { openBeforeHydration, watchUrls } from "./before-hydration";
import { newPhone } from "./partner-program";
import { signIn } from "./signed-in";
import { firstRun } from "./test-instance";

test("a wrong password is refused, the right one leads back to the page that was asked for", async ({
  page,
}) => {
  const { admin } = firstRun();
  await page.goto("/tokens");
  await expect(page).toHaveURL(/\/sign-in\?to=/);

  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();

  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "API tokens" })).toBeVisible();
});

test("the sign-in leads back to a filtered list, with its filters", async ({ browser }) => {
  const { admin } = firstRun();
  for (const path of ["/requests?q=abc&status=failed", "/webhooks?to=%2Ftokens"]) {
    const page = await browser.newPage();
    await page.goto(path);
    await page.getByLabel("Email").fill(admin.email);
    await page.getByLabel("Password", { exact: true }).fill(admin.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect.poll(() => new URL(page.url()).pathname + new URL(page.url()).search).toBe(path);
    await page.close();
  }
});

test("after five wrong passwords one has to wait, and the page says how long", async ({ page }) => {
  await page.goto("/sign-in");
  await page.getByLabel("Email").fill(`unknown.${Date.now()}@example.com`);
  const password = page.getByLabel("Password", { exact: true });
  const alert = page.getByRole("alert").filter({ hasText: /\w/ });
  for (let attempt = 0; attempt < 20; attempt++) {
    const answered = page.waitForResponse(/callback\/credentials/);
    await password.fill(`wrong ${attempt}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    if (/error=locked/.test(await (await answered).text())) break;
  }

  await expect(alert).toHaveText(/Too many failed attempts\. Try again in \d+ seconds?\./);
});

test("signing out ends the session of this browser, for pages and for the private API", async ({ page }) => {
  await signIn(page);
  expect((await page.request.get("/api/tokens")).status()).toBe(200);

  await page.getByRole("button", { name: "Signed in as Admin" }).click();
  await page.getByRole("menuitem", { name: "Sign out" }).click();

  await expect(page).toHaveURL(/\/sign-in/);
  await page.goto("/chats");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect((await page.request.get("/api/tokens")).status()).toBe(401);
});

test("a session that ends while a message is written says so, and the message is there after the sign-in", async ({
  page,
}) => {
  const { chatId } = await newPhone();
  await signIn(page);
  await page.goto(`/chats/${chatId}`);
  await page.getByLabel("Message", { exact: true }).fill("We open at ten");
  await page.evaluate(() => fetch("/api/session", { method: "DELETE" }));

  await expect(page).toHaveURL(/\/sign-in\?to=/, { timeout: 15_000 });
  await expect(page.getByRole("status").filter({ hasText: "Your session has ended." })).toBeVisible();
  await page.getByLabel("Email").fill(firstRun().admin.email);
  await page.getByLabel("Password", { exact: true }).fill(firstRun().admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByLabel("Message", { exact: true })).toHaveText("We open at ten");
  await expect(page).toHaveURL(`/chats/${chatId}`);
});

test("the private API takes no API token, and the partner API no session", async ({ page }) => {
  await signIn(page);

  const withToken = await fetch(`${firstRun().base_url}/api/tokens`, {
    headers: { authorization: `Bearer ${firstRun().token}` },
  });
  expect(withToken.status).toBe(401);
  expect((await page.request.get("/v3/phone_numbers")).status()).toBe(401);
});

test("a write from another site is refused although the browser sends the session", async ({ page }) => {
  await signIn(page);

  const answer = await page.request.post("/api/tokens", {
    data: { name: "forged" },
    headers: { origin: "https://elsewhere.example" },
  });

  expect(answer.status()).toBe(403);
  expect((await answer.json()).error.code).toBe(2005);
});

test("a used or made-up link to set a password says so", async ({ page }) => {
  await page.goto("/welcome/no-such-link");

  await expect(page.getByRole("heading", { name: "This link no longer works" })).toBeVisible();
});

test("an email and a password that are filled in before hydration are kept and sign in", async ({ page }) => {
  const { admin } = firstRun();
  const { hydrate } = await openBeforeHydration(page, "/sign-in");
  const password = page.getByLabel("Password", { exact: true });
  await page.getByLabel("Email").fill(admin.email);
  await password.fill("not the password");

  await hydrate();
  await page.getByRole("button", { name: "Show the password" }).click();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "Incorrect email or password" })).toBeVisible();
  await expect(page.getByLabel("Email")).toHaveValue(admin.email);
  await expect(password).toHaveValue("not the password");

  await password.fill(admin.password);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
});

test("Enter before hydration puts neither the email nor the password in a URL", async ({ page }) => {
  const { admin } = firstRun();
  const urls = watchUrls(page);
  const { hydrate } = await openBeforeHydration(page, "/sign-in");
  await page.getByLabel("Email").fill(admin.email);
  await page.getByLabel("Password", { exact: true }).fill(admin.password);
  await page.keyboard.press("Enter");

  await hydrate();
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  expect(urls.filter((url) => /email=|password=/.test(url))).toEqual([]);
});

test("without JavaScript the sign-in page says what it needs and sends nothing", async ({ browser }) => {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto("/sign-in");
  await expect(page.locator("noscript p")).toBeVisible();
  const urls = watchUrls(page);
  await page.getByLabel("Email").fill("ada@example.com");
  await page.getByLabel("Password", { exact: true }).fill("a password");
  await page.keyboard.press("Enter");

  await expect(page.getByRole("button", { name: "Sign in" })).toBeDisabled();
  await expect(page.getByLabel("Email")).toHaveValue("ada@example.com");
  expect(urls).toEqual([]);
  await page.close();
});
