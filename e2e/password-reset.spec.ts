import { expect, test } from "@playwright/test";
import { startMailServer, textOf } from "../lib/testing/servers/start-mail-server";
import { openBeforeHydration } from "./before-hydration";
import { type OwnInstance, startOwnInstance } from "./own-instance";

test("an email that is filled in before hydration reaches the reset page, and the mail's link sets a password", async ({
  page,
}) => {
  test.setTimeout(300_000);
  const mail = await startMailServer();
  const instance: OwnInstance = await startOwnInstance(async () => ({
    SMTP_URL: mail.url,
    MAIL_FROM: "Trunkline <no-reply@example.com>",
  }));
  const { admin, base_url: url } = instance.demo;

  const signIn = await openBeforeHydration(page, `${url}/sign-in`);
  await page.getByLabel("Email").fill(admin.email);
  await signIn.hydrate();
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await expect(page.getByLabel("Email")).toHaveValue(admin.email);

  await page.unrouteAll();
  const reset = await openBeforeHydration(page, `${url}/reset-password`);
  await page.getByLabel("Email").fill(admin.email);
  await page.keyboard.press("Enter");
  await reset.hydrate();
  await expect(page).toHaveURL(`${url}/reset-password`);
  await page.getByRole("button", { name: "Send link" }).click();
  await expect(
    page.getByRole("status").filter({ hasText: `If ${admin.email} belongs to a user` }),
  ).toBeVisible();

  await expect.poll(() => mail.received.length).toBe(1);
  const [received] = mail.received;
  const link = /https?:\/\/\S+\/welcome\/\S+/.exec(received ? textOf(received) : "")?.[0] ?? "";
  const password = "another correct horse";
  await page.unrouteAll();
  const welcome = await openBeforeHydration(page, link);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByLabel("Confirm password").fill(password);
  await welcome.hydrate();
  await page.getByRole("button", { name: "Set password" }).click();
  // The first password of a person signs in.
  await expect(page.getByRole("heading", { name: "Home", level: 1 })).toBeVisible();

  await instance.stop();
  await mail.close();
});
