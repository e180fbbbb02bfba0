import type { Locator, Page } from "@playwright/test";
import { expectAccessible } from "./accessible";
import { newPhone, send, sendRequest, write } from "./partner-program";
import { fieldOf, logOf, nameOf, openWall, phoneOf, say } from "./phone-wall";
import { replay } from "./replay";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

test("three people in a group see each other's messages, reactions and names", async ({ page }) => {
  const names = ["Ada Lane", "Ben Moss", "Cleo Park"];
  const phones = [];
  for (const name of names) {
    const { handle } = await newPhone();
    await nameOf(handle, name);
    phones.push(handle);
  }
  await openWall(page, phones);
  const [ada, ben, cleo] = names.map((name) => phoneOf(page, name)) as [Locator, Locator, Locator];

  await ada.getByRole("button", { name: "Back to conversations" }).click();
  await ada.getByRole("button", { name: "New message" }).click();
  await ada.getByLabel("Ben Moss").check();
  await ada.getByLabel("Cleo Park").check();
  await fieldOf(ada).fill("Dinner on Friday?");
  await ada.getByRole("button", { name: "Send", exact: true }).click();
  await expect(logOf(ada)).toContainText("Dinner on Friday?");

  for (const phone of [ben, cleo]) {
    await phone.getByRole("button", { name: "Back to conversations" }).click();
    await phone.getByRole("list", { name: "Conversations" }).getByRole("button").first().click();
    await expect(logOf(phone)).toContainText("Dinner on Friday?");
    await expect(logOf(phone)).toContainText("Ada Lane");
  }
  await say(ben, "I am in");
  const answer = logOf(cleo).getByRole("article", { name: "Message from Ben Moss" });
  await expect(answer).toContainText("I am in");
  await answer.hover();
  await answer.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Love" }).click();
  await expect(logOf(ben).getByText("Love: Cleo Park")).toBeAttached();

  await cleo.getByRole("button", { name: "Group details" }).click();
  await cleo.getByLabel("Group name").fill("Friday dinner");
  await cleo.getByRole("button", { name: "Rename" }).click();
  await expect(ada.getByRole("heading", { name: "Friday dinner" })).toBeVisible();
  await cleo.getByRole("button", { name: "Leave group" }).click();
  await expect(cleo.getByText("You are not in this conversation.")).toBeVisible();
  await say(ada, "Only us two then");
  await expect(logOf(ben)).toContainText("Only us two then");
  await expect(logOf(cleo)).not.toContainText("Only us two then");
});

test("a customer declines, then pays a checkout in the phone's browser", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Dana Payer");
  const { body: request } = await sendRequest("POST /v3/payment_requests", {
    amount: 1250,
    currency: "usd",
    description: "Dinner for two",
  });
  await send(chatId, `Please pay: ${request.checkout_url}`);
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Dana Payer");
  await logOf(phone)
    .getByRole("button", { name: /\/pay\// })
    .click();
  const checkout = phone.frameLocator("iframe");
  await expect(checkout.getByText("$12.50").first()).toBeVisible();

  await checkout.getByLabel("Card is declined").check();
  await checkout.getByRole("button", { name: /^Pay/ }).click();
  await expect(checkout.getByRole("alert")).toBeVisible();
  await checkout.getByLabel("Payment succeeds").check();
  await checkout.getByRole("button", { name: /^Pay/ }).click();
  await expect(checkout.getByRole("heading", { name: "Thank you for your payment" })).toBeVisible();
  await expect
    .poll(async () => (await sendRequest(`GET /v3/payment_requests/${request.id}`)).body.status)
    .toBe("succeeded");
  await phone.getByRole("button", { name: "Close page" }).click();
  await expect(logOf(phone)).toContainText("Please pay");
});

test("a person opts out with STOP and comes back by writing", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Eli Out");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Eli Out");
  await say(phone, "STOP");
  await expect.poll(async () => (await send(chatId, "An offer")).status).toBe(403);
  await say(phone, "START");
  await expect.poll(async () => (await send(chatId, "Welcome back")).status).toBe(202);
  await expect(logOf(phone)).toContainText("Welcome back");
  await expect(logOf(phone)).not.toContainText("An offer");
});

test("messages to a phone in airplane mode arrive in order when it is off", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Fay Flyer");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Fay Flyer");
  await phone.getByRole("button", { name: "Airplane mode" }).click();
  await expect(fieldOf(phone)).toBeDisabled();
  const { body } = await send(chatId, "First");
  await send(chatId, "Second");
  await expect
    .poll(async () => (await sendRequest(`GET /v3/messages/${body.message.id}`)).body.delivery_status)
    .toBe("sent");
  await expect(logOf(phone)).not.toContainText("First");
  await phone.getByRole("button", { name: "Airplane mode" }).click();
  await expect(logOf(phone).getByRole("article").last()).toContainText("Second");
  await expect(logOf(phone)).toContainText("First");

  await phone.getByRole("button", { name: "Battery dead" }).click();
  await expect(phone.getByText("are never delivered")).toBeVisible();
  await phone.getByRole("button", { name: "Charge phone" }).click();
  await expect(fieldOf(phone)).toBeEnabled();
});

test("a photo, a sticker, a voice memo, a poll and a location leave the phone", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Gus Sender");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Gus Sender");
  const add = phone.getByRole("button", { name: "Add to message" });
  const app = (name: string) =>
    phone.getByRole("toolbar", { name: "Add to message" }).getByRole("button", { name });

  await add.click();
  await phone.getByRole("button", { name: "Send Sunset" }).click();
  await expect(logOf(phone).getByAltText("Sunset.jpg")).toBeVisible();
  await add.click();
  await app("Stickers").click();
  await phone.getByRole("button", { name: "Send 🎉" }).click();
  await expect(logOf(phone).getByAltText("Sticker sticker.png")).toBeVisible();
  await add.click();
  await app("Voice memo").click();
  await phone.getByRole("button", { name: "Send sample memo" }).click();
  await expect(logOf(phone).getByText("Voice memo", { exact: true })).toBeVisible();
  await add.click();
  await app("Poll").click();
  await phone.getByLabel("Option 1").fill("Ramen");
  await phone.getByLabel("Option 2").fill("Tacos");
  await phone.getByRole("button", { name: "Send poll" }).click();
  const ramen = logOf(phone).getByRole("button", { name: /Ramen/ });
  await ramen.click();
  await expect(ramen).toHaveAttribute("aria-pressed", "true");
  await add.click();
  await app("Location").click();
  await phone.getByRole("button", { name: "Share for one hour" }).click();
  await expect.poll(async () => (await sendRequest(`GET /v3/chats/${chatId}/location`)).status).toBe(200);
});

test("typing is shown both ways, and the phone in use sends read receipts", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Hal Typist");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Hal Typist");
  await sendRequest(`POST /v3/chats/${chatId}/typing`);
  await expect(logOf(phone).getByText("The line is typing")).toBeAttached();

  const { body } = await send(chatId, "Read me");
  await expect(logOf(phone)).toContainText("Read me");
  await expect(logOf(phone).getByText("The line is typing")).not.toBeAttached();
  await fieldOf(phone).click();
  await expect
    .poll(async () => (await sendRequest(`GET /v3/messages/${body.message.id}`)).body.delivery_status)
    .toBe("read");
});

test("at 390 px one phone fills the page, and nothing overflows", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const first = await newPhone();
  const second = await newPhone();
  await nameOf(first.handle, "Ivy One");
  await nameOf(second.handle, "Jon Two");
  await openWall(page, [first.handle, second.handle]);
  await expect(phoneOf(page, "Ivy One")).toBeVisible();
  await expect(phoneOf(page, "Jon Two")).toBeHidden();
  await say(phoneOf(page, "Ivy One"), "From a small screen");
  await page
    .getByRole("toolbar", { name: "Phone in front" })
    .getByRole("button", { name: "Jon Two" })
    .click();
  await expect(phoneOf(page, "Jon Two")).toBeVisible();
  await expect(phoneOf(page, "Ivy One")).toBeHidden();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(390);
});

test("with the keyboard alone a person writes, reacts, replies and edits", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Kay Keys");
  await send(chatId, "Seven or eight?");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Kay Keys");
  await expect(logOf(phone)).toContainText("Seven or eight?");
  await logOf(phone).focus();
  const question = logOf(phone).getByRole("article").filter({ hasText: "Seven or eight?" });
  await tabTo(page, question.getByRole("button", { name: "Message actions" }));
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Love" })).toBeFocused();
  await page.keyboard.press("ArrowDown");
  await expect(page.getByRole("menuitem", { name: "Like", exact: true })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(question.getByText("Like: You")).toBeAttached();

  await tabTo(page, question.getByRole("button", { name: "Message actions" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Love" })).toBeFocused();
  await page.keyboard.press("R");
  await expect(page.getByRole("menuitem", { name: "Reply" })).toBeFocused();
  await page.keyboard.press("Enter");
  await tabTo(page, fieldOf(phone));
  await page.keyboard.type("Eight");
  await page.keyboard.press("Enter");
  const answer = logOf(phone).getByRole("article", { name: "Your message" }).filter({ hasText: "Eight" });
  await expect(answer).toContainText("Seven or eight?");

  await tabTo(page, answer.getByRole("button", { name: "Message actions" }), "Shift+Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("menuitem", { name: "Love" })).toBeFocused();
  await page.keyboard.press("E");
  await expect(page.getByRole("menuitem", { name: "Edit" })).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(phone.getByRole("textbox", { name: "Edited text" })).toBeFocused();
  await page.keyboard.press("ControlOrMeta+a");
  await page.keyboard.type("Seven, please");
  await tabTo(page, phone.getByRole("button", { name: "Save" }));
  await page.keyboard.press("Enter");
  await expect(logOf(phone)).toContainText("Seven, please");
  await expect(logOf(phone)).toContainText("Edited");
});

/** Presses Tab until the element has the focus. */
async function tabTo(page: Page, element: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    if (await element.evaluate((node) => node === document.activeElement)) return;
    await page.keyboard.press(key);
  }
  await expect(element).toBeFocused();
}

test("the first steps show the message on the phone, and its events beside it", async ({ page }) => {
  await page.goto("/phones/first-steps");
  const phone = page.getByRole("region", { name: /^Phone of/ });
  const { line, phone: handle } = firstRun();
  const text = `Hello ${Date.now()}`;
  await sendRequest("POST /v3/chats", {
    from: line,
    to: [handle],
    message: { parts: [{ type: "text", value: text }] },
  });
  await expect(logOf(phone)).toContainText(text);
  await say(phone, `Answer to ${text}`);
  const events = page.getByRole("list", { name: "Events" });
  await events
    .getByRole("button")
    .filter({ hasText: "message.received" })
    .filter({ hasText: "Answer to" })
    .click();
  await expect(page.getByRole("region", { name: "Event", exact: true })).toContainText("Answer to");
});

test("a recording is exported as a test file that passes when it is replayed", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Lou Recorder");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Lou Recorder");
  await page.getByRole("button", { name: "Record test" }).click();
  await say(phone, "Is the table free?");
  await send(chatId, "It is. Shall I book it?");
  const question = logOf(phone).getByRole("article").filter({ hasText: "Shall I book it?" });
  await expect(question).toBeVisible();
  await question.hover();
  await question.getByRole("button", { name: "Message actions" }).click();
  await page.getByRole("menuitem", { name: "Like", exact: true }).click();
  await expect(question.getByText("Like: You")).toBeAttached();
  await page.getByRole("button", { name: /^Stop/ }).click();

  const link = page.getByRole("dialog").getByRole("link", { name: "Download file" });
  const url = (await link.getAttribute("href")) ?? "";
  const file = decodeURIComponent(url.slice(url.indexOf(",") + 1));
  expect(file).toContain('louRecorder.says("Is the table free?")');
  expect(file).toContain('louRecorder.receives("It is. Shall I book it?")');
  expect(file).toContain('reacts(message2.message_id, "like")');
  await replay(file);
});

test("axe finds nothing on the phones in both themes", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await send(chatId, "Your table is ready: https://example.com/menu");
  await write(handle, chatId, "Thanks!");
  await openWall(page, [handle, firstRun().phone]);
  const phone = page.getByRole("region", { name: `Phone of ${handle}` });
  await expect(logOf(phone)).toContainText("Thanks!");
  await expectAccessible(page);
  await phone.getByRole("button", { name: "Add to message" }).click();
  await expect(phone.getByRole("list", { name: "Camera roll" })).toBeVisible();
  await expectAccessible(page);
  await phone.getByRole("button", { name: "Back to conversations" }).click();
  await expectAccessible(page);
});
