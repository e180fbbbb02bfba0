import { type Browser, expect, type Page, test } from "@playwright/test";
import { startOidcProvider, type TestOidcProvider } from "../lib/testing/sign-in/oidc-provider";
import { expectAccessible } from "./accessible";
import { PASSWORD } from "./invited-user";
import { type OwnInstance, startOwnInstance } from "./own-instance";

const CLIENT = { clientId: "trunkline", clientSecret: "a secret of the test" };

let provider: TestOidcProvider;
let instance: OwnInstance;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  instance = await startOwnInstance(async (baseUrl) => {
    provider = await startOidcProvider({
      ...CLIENT,
      redirectUri: `${baseUrl}/api/auth/callback/oidc`,
      logoutUri: `${baseUrl}/api/backchannel-logout`,
    });
    return {
      OIDC_ISSUER: provider.url,
      OIDC_CLIENT_ID: CLIENT.clientId,
      OIDC_CLIENT_SECRET: CLIENT.clientSecret,
      OIDC_NAME: "Okta",
      OIDC_SCOPE: "openid email profile groups offline_access",
    };
  });
  provider.people.set("grace", {
    email: "grace@example.com",
    name: "Grace Admin",
    groups: ["trunkline-admins"],
  });
  provider.people.set("ada", { email: "ada@example.com", name: "Ada Agent", groups: ["trunkline-support"] });
  provider.people.set("eve", { email: "eve@example.com", name: "Eve Elsewhere", groups: ["kitchen"] });
});

test.afterAll(async () => {
  await instance?.stop();
  await provider?.close();
});

/** Opens the sign-in page in a browser of the person's own and continues with the provider. */
async function signOn(browser: Browser, subject: string): Promise<Page> {
  provider.choose(subject);
  const page = await (await browser.newContext({ storageState: undefined })).newPage();
  await page.goto(`${instance.demo.base_url}/sign-in`);
  const returned = page.waitForResponse(/\/api\/auth\/callback\/oidc/);
  await page.getByRole("button", { name: "Continue with Okta" }).click();
  await returned;
  return page;
}

async function saveGroup(page: Page, group: string, role: string): Promise<void> {
  const form = page.getByRole("form", { name: "Add a group" });
  await form.getByLabel("Group").fill(group);
  await form.getByLabel("Role").click();
  await page.getByRole("option", { name: role, exact: true }).click();
  await form.getByRole("button", { name: "Save group" }).click();
  await expect(page.getByRole("list", { name: "Groups" })).toContainText(group);
}

test("groups of the provider give roles, single sign-on can be required, and a logout at the provider ends the session", async ({
  page,
  browser,
}) => {
  const { base_url: url } = instance.demo;
  await page.goto(`${url}/sign-in`);
  await expect(page.getByRole("button", { name: "Continue with Okta" })).toBeVisible();
  await expectAccessible(page);
  await page.setViewportSize({ width: 1280, height: 800 });
  await instance.signIn(page);
  await page.goto(`${url}/settings/security`);
  await saveGroup(page, "trunkline-admins", "Admin");
  await saveGroup(page, "trunkline-support", "Support");
  await page.goto(`${url}/settings/people`);
  await page.getByRole("button", { name: "Invite person" }).click();
  await page.getByLabel("Email").fill("paul@example.com");
  await page.getByLabel("Name", { exact: true }).fill("Paul Password");
  await page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
  const link = (await page.getByTestId("password-link").textContent()) ?? "";

  const paul = await (await browser.newContext({ storageState: undefined })).newPage();
  await paul.goto(link);
  await paul.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await paul.getByLabel("Confirm password").fill(PASSWORD);
  await paul.getByRole("button", { name: "Set password" }).click();
  await expect(paul.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();

  const ada = await signOn(browser, "ada");
  await expect(ada.getByRole("button", { name: "Signed in as Ada Agent" })).toBeVisible();
  expect((await ada.request.get(`${url}/api/tokens`)).status()).toBe(403);
  const eve = await signOn(browser, "eve");
  await expect(eve.getByRole("alert").filter({ hasText: /\w/ })).toContainText(/access/);
  await expect(eve).toHaveURL(/\/sign-in/);

  const grace = await signOn(browser, "grace");
  await expect(grace.getByRole("button", { name: "Signed in as Grace Admin" })).toBeVisible();
  await grace.goto(`${url}/settings/security`);
  await grace.locator("html[data-hydrated=true]").waitFor();
  const rule = grace.getByRole("switch", { name: "Everyone must use single sign-on" });
  await rule.click();
  const again = grace.waitForResponse(/\/api\/auth\/callback\/oidc/);
  await grace.getByRole("button", { name: "Sign in again with Okta" }).click();
  await again;
  await expect(grace.getByRole("heading", { name: "Settings", level: 1 })).toBeVisible();
  await grace.locator("html[data-hydrated=true]").waitFor();
  await rule.click();
  await expect(grace.getByText("The sign-in rules were changed")).toBeVisible();

  await paul.goto(`${url}/chats`);
  await expect(paul.getByRole("heading", { name: "Single sign-on required" })).toBeVisible();
  expect((await paul.request.get(`${url}/api/chats`)).status()).toBe(403);
  await expectAccessible(paul);
  await ada.goto(`${url}/chats`);
  await expect(ada.getByRole("heading", { name: "Chats", level: 1 })).toBeVisible();

  // The open page notices by itself.
  await provider.logout("ada", provider.sidOf("ada") ?? "");
  await expect(ada.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await grace.goto(`${url}/chats`);
  await expect(grace.getByRole("heading", { name: "Chats", level: 1 })).toBeVisible();
});
