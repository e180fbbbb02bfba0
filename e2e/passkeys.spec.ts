import type { Browser, Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { admin, PASSWORD } from "./invited-user";
import { expect, test } from "./signed-in";
import { addAuthenticator, withoutOffers } from "./virtual-authenticator";

async function newBrowserPage(browser: Browser): Promise<Page> {
  return (await browser.newContext({ storageState: undefined })).newPage();
}

async function setFirstPassword(page: Page, link: string): Promise<void> {
  await page.goto(link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await page.getByRole("button", { name: "Set password" }).click();
}

async function signInWithPassword(page: Page): Promise<void> {
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
}

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole("button", { name: "Add passkey" }).click();
  const dialog = page.getByRole("dialog", { name: "Add a passkey" });
  await dialog.getByLabel("Name").fill(name);
  await dialog.getByRole("button", { name: "Continue" }).click();
}

test("an invited agent adds a passkey, signs in with it, and is out at once when an admin removes them", async ({
  page,
  browser,
}) => {
  const email = `agent.${Date.now()}@example.com`;
  await page.goto("/settings/people");
  await page.getByRole("button", { name: "Invite person" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Name", { exact: true }).fill("Agatha");
  await page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
  const link = (await page.getByTestId("password-link").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();

  const theirs = await newBrowserPage(browser);
  await addAuthenticator(theirs);
  await withoutOffers(theirs);
  await setFirstPassword(theirs, link);
  await theirs.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await theirs.goto("/settings/sessions");
  await expect(theirs.getByText("No passkeys yet")).toBeVisible();
  await addPasskey(theirs, "Work laptop");
  const passkeys = theirs.getByRole("list", { name: "Passkeys" });
  await expect(passkeys.getByRole("listitem")).toContainText("not used yet");
  await expectAccessible(theirs);

  await theirs.setViewportSize({ width: 390, height: 800 });
  await theirs.context().clearCookies();
  await theirs.goto("/sign-in");
  await expectAccessible(theirs, { widths: [390] });
  await theirs.getByRole("button", { name: "Continue with a passkey" }).click();
  await theirs.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await theirs.goto("/settings/sessions");
  await expect(passkeys.getByRole("listitem")).toContainText("last used");
  await passkeys.getByRole("button", { name: "Rename Work laptop" }).click();
  await theirs.getByRole("dialog").getByLabel("Name").fill("Old laptop");
  await theirs.getByRole("dialog").getByRole("button", { name: "Save" }).click();
  await expect(passkeys.getByRole("listitem")).toContainText("Old laptop");

  const row = page.getByRole("row").filter({ hasText: email });
  await page.goto("/settings/people");
  await expect(row).toContainText("Added");
  await expectAccessible(page, { widths: [1280, 390] });
  await page.setViewportSize({ width: 1280, height: 800 });
  await row.getByRole("button", { name: "Remove Agatha" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove person" }).click();
  await expect(row).toHaveCount(0);
  await theirs.reload();
  await expect(theirs.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await theirs.context().close();
});

test("the browser offers a passkey by itself, and one that was removed says so", async ({ browser }) => {
  const theirs = await newBrowserPage(browser);
  await addAuthenticator(theirs);
  await newPartnerAdmin(theirs);
  await theirs.goto("/settings/sessions");
  await addPasskey(theirs, "Phone");
  await theirs.getByRole("list", { name: "Passkeys" }).waitFor();
  await theirs.context().clearCookies();

  await theirs.goto("/sign-in");
  await theirs.getByRole("heading", { name: "Home", level: 1 }).waitFor();

  await theirs.goto("/settings/sessions");
  await theirs.getByRole("button", { name: "Remove Phone" }).click();
  await theirs.getByRole("alertdialog").getByRole("button", { name: "Remove passkey" }).click();
  await expect(theirs.getByText("No passkeys yet")).toBeVisible();
  await theirs.context().clearCookies();
  await withoutOffers(theirs);
  await theirs.goto("/sign-in");
  await theirs.getByRole("button", { name: "Continue with a passkey" }).click();
  await expect(theirs.getByText("This passkey is not known here.")).toBeVisible();
  await theirs.context().close();
});

test("an admin requires passkeys of admins; a password then asks for the passkey, and a new admin adds one", async ({
  browser,
}) => {
  const theirs = await newBrowserPage(browser);
  await addAuthenticator(theirs);
  await withoutOffers(theirs);
  const { partner, email } = await newPartnerAdmin(theirs);
  await theirs.goto("/settings/security");
  const rule = theirs.getByRole("switch", { name: "Admins must use a passkey" });
  await expect(theirs.getByText("1 admin has no passkey")).toBeVisible();
  await rule.click();
  const proof = theirs.getByRole("dialog", { name: "Confirm your identity" });
  await expect(proof).toContainText("you have none");
  await theirs.keyboard.press("Escape");
  await theirs.goto("/settings/sessions");
  await addPasskey(theirs, "Phone");
  await theirs.getByRole("list", { name: "Passkeys" }).waitFor();
  await theirs.goto("/settings/security");
  await rule.click();
  await expect(rule).toBeChecked();
  await expectAccessible(theirs);

  await theirs.context().clearCookies();
  await theirs.goto(`/sign-in?to=/tokens&email=${email}`);
  await signInWithPassword(theirs);
  await expect(theirs.getByRole("heading", { name: "Confirm your sign-in" })).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByRole("button", { name: "Use a passkey" }).click();
  await expect(theirs.getByRole("heading", { name: "API tokens" })).toBeVisible();

  const invited = await newBrowserPage(browser);
  await addAuthenticator(invited);
  const second = ["--partner", partner, "--email", `second.${email}`, "--name", "Second", "--role", "admin"];
  await setFirstPassword(invited, linkIn(admin("create-user", ...second)));
  await expect(invited.getByRole("heading", { name: "Add a passkey" })).toBeVisible();
  await addPasskey(invited, "Tablet");
  await invited.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await invited.context().close();
  await theirs.context().close();
});

function linkIn(output: string): string {
  return /https?:\/\/\S+\/welcome\/\S+/.exec(output)?.[0] ?? "";
}

function idIn(output: string): string {
  return /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(output)?.[0] ?? "";
}

/** Creates a partner with an account of its own and signs its admin in, so that rules do not affect other tests. */
async function newPartnerAdmin(page: Page): Promise<{ partner: string; email: string }> {
  const email = `owner.${Date.now()}@example.com`;
  const partner = idIn(admin("create-partner", "--name", "Passkeys"));
  admin("create-account", "--partner", partner, "--name", "Main", "--type", "sandbox");
  const user = ["--partner", partner, "--email", email, "--name", "Olive", "--role", "admin"];
  await setFirstPassword(page, linkIn(admin("create-user", ...user)));
  await page.getByRole("heading", { name: /^(Home|Overview)/, level: 1 }).waitFor();
  return { partner, email };
}
