import type { Page, Route } from "@playwright/test";
import { newPhone } from "./partner-program";
import { fieldOf, logOf, nameOf, openWall, phoneOf } from "./phone-wall";
import { expect, test } from "./signed-in";

/** Enters a text on a new phone and holds its request until `release`; then `end` answers it. */
async function sendHeld(page: Page, { text, end }: { text: string; end: (route: Route) => Promise<void> }) {
  const { handle } = await newPhone();
  await nameOf(handle, "Fay Fast");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Fay Fast");
  const field = fieldOf(phone);
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route(
    "**/api/phones/*/messages",
    async (route) => {
      asked.resolve();
      await released.promise;
      await end(route);
    },
    { times: 1 },
  );
  await field.fill(text);
  await field.press("Enter");
  await asked.promise;
  return {
    field,
    release: released.resolve,
    sent: logOf(phone).getByRole("article", { name: "Your message" }),
  };
}

test("text that is typed while a message is being sent stays in the field", async ({ page }) => {
  const { field, release, sent } = await sendHeld(page, {
    text: "First message",
    end: (route) => route.continue(),
  });
  await page.keyboard.type("Second");
  release();
  await expect(sent.filter({ hasText: "First message" })).toBeVisible();
  await expect(field).toHaveValue("Second");

  await page.keyboard.type(" message");
  await page.keyboard.press("Enter");
  await expect(sent.filter({ hasText: "Second message" })).toBeVisible();
  await expect(field).toHaveValue("");
  await expect(sent.filter({ hasText: "First messageSecond" })).toHaveCount(0);
});

test("text of a message that could not be sent comes back, followed by what was typed meanwhile", async ({
  page,
}) => {
  const { field, release } = await sendHeld(page, { text: "First message", end: (route) => route.abort() });
  await expect(field).toHaveValue("");
  await page.keyboard.type("Second");
  release();
  await expect(field).toHaveValue("First message\nSecond");
});
