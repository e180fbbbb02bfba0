import { expectAccessible } from "./accessible";
import { newPhone, send, sendRequest } from "./partner-program";
import { fieldOf, logOf, nameOf, openWall, phoneOf } from "./phone-wall";
import { replay } from "./replay";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

/** A PNG image of one pixel, in base64. */
const PIXEL =
  "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

test("a person opts out with one tap, comes back with another, and a near miss does not opt out", async ({
  page,
}) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Otto Out");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Otto Out");
  const tap = async (text: string) => {
    await phone.getByRole("button", { name: "Add to message" }).click();
    await phone.getByRole("button", { name: "Opt-out keywords" }).click();
    await phone.getByRole("button", { name: `Send ${text}`, exact: true }).click();
    await expect(logOf(phone).getByText(text, { exact: true })).toBeVisible();
  };
  await phone.getByRole("button", { name: "Add to message" }).click();
  await phone.getByRole("button", { name: "Opt-out keywords" }).click();
  await expectAccessible(page);
  await phone.getByRole("button", { name: "Add to message" }).click();

  await tap("UNSUBSCRIBE");
  expect((await send(chatId, "An offer")).body.error.code).toBe(2024);
  await tap("START");
  expect((await send(chatId, "Welcome back")).status).toBe(202);
  await tap("STOP please");
  expect((await send(chatId, "Still here")).status).toBe(202);
});

test("the phone of a magic handle is added from the table and behaves as the table says", async ({
  page,
}) => {
  await page.goto("/phones");
  const table = page.getByRole("table", { name: "Magic handles" });
  await expect(table.getByRole("row")).toHaveCount(17);
  const row = table.getByRole("row").filter({ hasText: "Echoes" });
  await expect(row).toContainText("reads and sends the text back");
  await row.getByRole("button", { name: "Add phone" }).click();
  const phone = phoneOf(page, "Echoes");
  await expect(phone).toBeVisible();
  await expect(row.getByRole("button", { name: "Show phone" })).toBeVisible();
  const { body } = await sendRequest("POST /v3/chats", {
    from: firstRun().line,
    to: ["+15005550105"],
    message: { parts: [{ type: "text", value: "ping" }] },
  });
  expect(body.error).toBeUndefined();
  await phone.getByRole("list", { name: "Conversations" }).getByRole("button").first().click();
  await expect(logOf(phone).getByRole("article", { name: "Your message" })).toContainText("ping");
  await expectAccessible(page, { widths: [390, 1280] });
});

test("the icon of a group is shown in the conversation and in the list of conversations", async ({
  page,
}) => {
  const [first, second] = [await newPhone(), await newPhone()];
  await nameOf(first.handle, "Ivy Icon");
  const { body: group } = await sendRequest(`POST /simulator/phones/${first.handle}/messages`, {
    to: firstRun().line,
    also_to: [second.handle],
    parts: [{ type: "media", filename: "icon.png", data: PIXEL }],
  });
  const { body: message } = await sendRequest(`GET /v3/messages/${group.message_id}`);
  const change = { chat_id: group.chat_id, icon: { attachment_id: message.parts[0].id }, name: "Friday" };
  await sendRequest(`PUT /simulator/phones/${first.handle}/group`, change);
  await openWall(page, [first.handle]);
  const icon = phoneOf(page, "Ivy Icon").getByAltText("Icon of Friday");
  await expect(icon).toHaveJSProperty("naturalWidth", 1);
  await phoneOf(page, "Ivy Icon").getByRole("button", { name: "Back to conversations" }).click();
  await expect(icon).toHaveJSProperty("naturalWidth", 1);
});

test("a recording of images, polls, members and locations passes when it is replayed", async ({ page }) => {
  const { handle } = await newPhone();
  const friend = await newPhone();
  const third = await newPhone();
  await nameOf(handle, "Rae Records");
  await nameOf(friend.handle, "Fay Friend");
  await nameOf(third.handle, "Theo Third");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Rae Records");
  const apps = phone.getByRole("toolbar", { name: "Add to message" });
  const add = async (app: string) => {
    await expect(apps).toBeHidden();
    await phone.getByRole("button", { name: "Add to message" }).click();
    await apps.getByRole("button", { name: app }).click();
  };
  await page.getByRole("button", { name: "Record test" }).click();

  await add("Photos");
  await phone.getByRole("button", { name: "Send Sunset" }).click();
  await expect(logOf(phone).getByAltText("Sunset.jpg")).toBeVisible();
  await add("Poll");
  await phone.getByLabel("Option 1").fill("Ramen");
  await phone.getByLabel("Option 2").fill("Tacos");
  await phone.getByRole("button", { name: "Send poll" }).click();
  const tacos = logOf(phone).getByRole("button", { name: /Tacos/ });
  await tacos.click();
  await expect(tacos).toHaveAttribute("aria-pressed", "true");
  await tacos.click();
  await expect(tacos).toHaveAttribute("aria-pressed", "false");
  await phone.getByLabel("New option").fill("Pizza");
  await phone.getByRole("button", { name: "Add", exact: true }).click();
  await expect(logOf(phone).getByRole("button", { name: /Pizza/ })).toBeVisible();
  await add("Location");
  await phone.getByRole("button", { name: "Share for one hour" }).click();
  await add("Location");
  await phone.getByRole("button", { name: "Stop sharing" }).click();
  await expect(apps).toBeHidden();

  await phone.getByRole("button", { name: "Back to conversations" }).click();
  await phone.getByRole("button", { name: "New message" }).click();
  await phone.getByLabel("Fay Friend").check();
  await fieldOf(phone).fill("Dinner on Friday?");
  await phone.getByRole("button", { name: "Send", exact: true }).click();
  await expect(logOf(phone)).toContainText("Dinner on Friday?");
  await phone.getByRole("button", { name: "Group details" }).click();
  const members = phone.getByRole("list", { name: "Members" });
  await phone.getByLabel("Add a phone").selectOption({ label: "Theo Third" });
  await expect(members).toContainText("Theo Third");
  await phone.getByLabel("Group name").fill("Friday dinner");
  await phone.getByRole("button", { name: "Rename" }).click();
  await expect(phone.getByRole("button", { name: "Rename" })).toBeDisabled();
  await phone.getByRole("button", { name: "Remove Theo Third" }).click();
  await expect(members).not.toContainText("Theo Third");
  await page.getByRole("button", { name: /^Stop \(/ }).click();

  const link = page.getByRole("dialog").getByRole("link", { name: "Download file" });
  const url = (await link.getAttribute("href")) ?? "";
  const file = decodeURIComponent(url.slice(url.indexOf(",") + 1));
  for (const step of ["Sunset.png", "poll.vote.removed", "Pizza", "location.sharing.stopped"]) {
    expect(file).toContain(step);
  }
  for (const step of ["participant.added", 'renamesGroup("Friday dinner"', "participant.removed"]) {
    expect(file).toContain(step);
  }
  expect(file).not.toContain("Left out");
  await replay(file);
});
