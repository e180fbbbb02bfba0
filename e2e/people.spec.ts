import { expectAccessible } from "./accessible";
import { openBeforeHydration, watchUrls } from "./before-hydration";
import { admin, invite, PASSWORD } from "./invited-user";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

test("an invited person signs in, is listed with the device, and is out at once when removed", async ({
  page,
  browser,
}) => {
  const email = `person.${Date.now()}@example.com`;
  await page.goto("/settings/people");
  await page.getByRole("button", { name: "Invite person" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Name", { exact: true }).fill("Grace");
  await page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
  const link = (await page.getByTestId("password-link").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Invited");

  const theirs = await (await browser.newContext({ storageState: undefined })).newPage();
  await theirs.goto(link);
  await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await theirs.getByLabel("Confirm password").fill(PASSWORD);
  await theirs.getByRole("button", { name: "Set password" }).click();
  // The new password signs in.
  await theirs.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await theirs.goto("/settings/sessions");
  await expect(theirs.getByRole("row").filter({ hasText: "This browser" })).toContainText("Chrome on");
  await theirs.goto("/events");
  await expect(theirs.getByText("Live", { exact: true })).toBeVisible();

  // The invitation is a member now.
  await page.reload();
  await row.getByRole("button", { name: "Remove Grace" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Remove person" }).click();
  await expect(row).toHaveCount(0);
  await expect(theirs.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await theirs.context().close();
});

test("a person of another partner accepts an invitation signed in, and is listed by the own name only then", async ({
  page,
  browser,
}) => {
  // It starts four commands and checks five pages.
  test.slow();
  const email = `known.${Date.now()}@example.com`;
  const partner = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(admin("create-partner", "--name", "Elsewhere"))?.[0] ?? "";
  admin("create-account", "--partner", partner, "--name", "main", "--type", "sandbox");
  const known = ["--partner", partner, "--email", email, "--name", "Real Name", "--role", "viewer"];
  const first = /https?:\/\/\S+\/welcome\/\S+/.exec(admin("create-user", ...known))?.[0] ?? "";
  const theirs = await (await browser.newContext({ storageState: undefined })).newPage();
  await theirs.goto(first);
  await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await theirs.getByLabel("Confirm password").fill(PASSWORD);
  await theirs.getByRole("button", { name: "Set password" }).click();
  await theirs.getByRole("heading", { name: "Home", level: 1 }).waitFor();
  await theirs.context().clearCookies();

  await page.goto("/settings/people");
  await page.getByRole("button", { name: "Invite person" }).click();
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Name", { exact: true }).fill("Typed");
  await page.getByRole("dialog").getByRole("button", { name: "Invite person" }).click();
  await expect(page.getByRole("dialog")).toContainText("This address has an account");
  const link = (await page.getByTestId("password-link").textContent()) ?? "";
  await page.getByRole("button", { name: "Done" }).click();
  const row = page.getByRole("row").filter({ hasText: email });
  await expect(row).toContainText("Invited");
  await expectAccessible(page, { widths: [1280, 390] });

  await theirs.goto(link);
  await expectAccessible(theirs);
  await theirs.getByRole("link", { name: "Sign in" }).click();
  await theirs.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await theirs.keyboard.press("Enter");
  await expect(theirs.getByRole("button", { name: "Decline the invitation to Demo" })).toBeVisible();
  await theirs.goto("/");
  await expect(theirs.getByText("Demo invites you")).toBeVisible();
  await expectAccessible(theirs);
  await theirs.getByRole("button", { name: "Accept the invitation to Demo" }).click();
  await expect(theirs.getByText("Demo invites you")).toHaveCount(0);

  await page.reload();
  await expect(row).toContainText("Real Name");
  await expect(row.getByRole("button", { name: "Reset password of Real Name" })).toHaveCount(0);
  await theirs.context().close();
});

test("an action that needs a fresh proof asks for the password and then goes on by itself", async ({
  page,
}) => {
  await page.goto("/tokens?generate");
  // The server asks for a new proof of identity only after ten minutes, so this response is simulated. All later
  // responses are real.
  await page.route(
    "**/api/tokens",
    (route) =>
      route.fulfill({
        status: 403,
        headers: { "x-proof-required": "required" },
        json: { error: { code: 2005, message: "Confirm your identity" } },
      }),
    { times: 1 },
  );
  await page.getByLabel("Name").fill("Proved");
  await page.getByRole("button", { name: "Generate", exact: true }).click();

  const dialog = page.getByRole("dialog", { name: "Confirm your identity" });
  await dialog.getByLabel("Password").fill("wrong");
  await dialog.getByRole("button", { name: "Confirm" }).click();
  await expect(dialog.getByText("the password is wrong")).toBeVisible();
  await dialog.getByLabel("Password").fill(firstRun().admin.password);
  await dialog.getByRole("button", { name: "Confirm" }).click();

  await expect(page.getByTestId("new-token")).toBeVisible();
});

test("passwords that are filled in before hydration are compared and set", async ({ browser }) => {
  const { link } = invite("viewer");
  const page = await (await browser.newContext({ storageState: undefined })).newPage();
  const urls = watchUrls(page);
  const { hydrate } = await openBeforeHydration(page, link);
  await page.getByLabel("Password", { exact: true }).fill(PASSWORD);
  await page.getByLabel("Confirm password").fill(`${PASSWORD}s`);
  await page.keyboard.press("Enter");

  await hydrate();
  await page.getByRole("button", { name: "Set password" }).click();
  await expect(page.getByRole("alert").filter({ hasText: "The passwords don't match." })).toBeVisible();
  await page.getByLabel("Confirm password").fill(PASSWORD);
  await expect(page.getByText("The passwords don't match.")).toHaveCount(0);
  await page.keyboard.press("Enter");

  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();
  expect(urls.filter((url) => url.includes("password="))).toEqual([]);
  await page.context().close();
});
