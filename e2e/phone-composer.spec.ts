import { newPhone } from "./partner-program";
import { fieldOf, logOf, nameOf, openWall, phoneOf } from "./phone-wall";
import { expect, test } from "./signed-in";

test("text that is typed while a message is being sent stays in the field", async ({ page }) => {
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
      await route.continue();
    },
    { times: 1 },
  );

  await field.fill("First message");
  await field.press("Enter");
  await asked.promise;
  await page.keyboard.type("Second");
  released.resolve();
  const sent = logOf(phone).getByRole("article", { name: "Your message" });
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
  const { handle } = await newPhone();
  await nameOf(handle, "Una Unsent");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Una Unsent");
  const field = fieldOf(phone);
  const asked = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  await page.route("**/api/phones/*/messages", async (route) => {
    asked.resolve();
    await released.promise;
    await route.abort();
  });

  await field.fill("First message");
  await field.press("Enter");
  await asked.promise;
  await expect(field).toHaveValue("");
  await page.keyboard.type("Second");
  released.resolve();
  await expect(field).toHaveValue("First message\nSecond");
});
