import { ask, newPhone, send } from "./partner-program";
import { expect, test } from "./signed-in";
import { startReceiver } from "./webhook-receiver";

test("an endpoint that answers 410 is told of on every page as it happens, leads there, and is dismissed", async ({
  page,
}) => {
  const receiver = await startReceiver();
  receiver.answer(410);
  const { body: subscription } = await ask("POST /v3/webhook-subscriptions", {
    target_url: receiver.url,
    subscribed_events: ["message.sent"],
  });
  const { chatId } = await newPhone();
  const notice = page
    .getByRole("region", { name: "Notices" })
    .getByRole("article", { name: new RegExp(`${new URL(receiver.url).host} was disabled`) });
  await page.goto("/tokens");
  await expect(notice).toHaveCount(0);

  await send(chatId, "to nobody");

  await expect(notice).toBeVisible();
  await page.goto(`/chats/${chatId}`);
  await expect(notice).toBeVisible();
  await notice.getByRole("link", { name: "Look into it" }).click();
  await expect(page).toHaveURL(new RegExp(`/webhooks/${subscription.id}`));
  await expect(page.getByText("it answered 410")).toBeVisible();
  await notice.getByRole("button", { name: /^Dismiss/ }).click();
  await expect(notice).toHaveCount(0);
  await page.reload();
  await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
  await expect(notice).toHaveCount(0);
  await receiver.close();
});
