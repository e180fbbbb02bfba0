import sharp from "sharp";
import { expectPagesAccessible } from "./accessible";
import { signInInvited } from "./invited-user";
import { newPhone, send, sendRequest } from "./partner-program";
import { expect, test } from "./signed-in";
import { firstRun } from "./test-instance";

/** The id of the demo's line. */
async function demoLine(): Promise<string> {
  const { body } = await sendRequest("GET /v3/phone_numbers");
  const line = body.phone_numbers.find(
    ({ phone_number }: { phone_number: string }) => phone_number === firstRun().line,
  );
  return line.id;
}

async function cardOfDemoLine(): Promise<{ phone_number: string; image_url: string } | undefined> {
  const { body } = await sendRequest("GET /v3/contact_card");
  return body.contact_cards.find(
    ({ phone_number }: { phone_number: string }) => phone_number === firstRun().line,
  );
}

function image(width: number, height: number): Promise<Buffer> {
  return sharp({ create: { width, height, channels: 3, background: "#1b4f72" } })
    .png()
    .toBuffer();
}

test("an admin runs an audit of a line and reads its report; another must wait", async ({ page }) => {
  const { chatId } = await newPhone();
  for (let sent = 0; sent < 4; sent++) await send(chatId, `still there? ${sent}`);
  await page.goto("/lines");
  await page.getByRole("link", { name: firstRun().line }).click();
  await page.getByRole("link", { name: "Audits" }).click();

  await page.getByRole("button", { name: "Run audit" }).click();

  const report = page.getByRole("article", { name: "Report" });
  await expect(report.getByText("Risk factors")).toBeVisible({ timeout: 30_000 });
  await expect(report.getByRole("table", { name: "Evidence" })).toContainText("+1556");
  await expect(page.getByText(/You can run the next audit in \d+ min/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Run audit" })).toBeDisabled();
  await expect(page.getByRole("navigation", { name: "Audits" }).getByRole("listitem")).toHaveCount(1);
});

test("an admin adds a simulated line, sees its queue and capacity, and releases it", async ({ page }) => {
  await page.goto("/lines");
  await page.getByRole("button", { name: "Add line" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByLabel("Kind").click();
  await page.getByRole("option", { name: "Critical" }).click();
  await dialog.getByRole("button", { name: "Add line" }).click();
  const done = page.getByText(/^\+\d+ was added$/);
  await expect(done).toBeVisible();
  const number = ((await done.textContent()) ?? "").replace(" was added", "");
  const row = page.getByRole("row").filter({ hasText: number });
  await expect(row).toContainText("Critical");
  await row.getByRole("link", { name: number }).click();

  await expect(page.getByText("Queue and capacity today")).toBeVisible();
  await expect(page.getByText("Nothing waits.")).toBeVisible();
  await page.getByRole("link", { name: "Contact card", exact: true }).first().click();
  await expect(page.getByLabel("First name")).toBeVisible();
  await page.getByRole("button", { name: "Release" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Release line" }).click();
  await expect(page.getByText(`${number} was released`)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Lines", level: 1 })).toBeVisible();
  await expect(page.getByRole("row").filter({ hasText: number })).toHaveCount(0);
});

test("an admin sets up a contact card with a cropped image, changes it and deletes it", async ({ page }) => {
  await page.goto(`/contact-cards/${await demoLine()}`);
  // Another test may have left a contact card.
  if ((await cardOfDemoLine()) !== undefined) {
    await page.getByRole("button", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Delete card" }).click();
    await expect(page.getByText("No card")).toBeVisible();
    await page.goto(`/contact-cards/${await demoLine()}`);
  }
  const file = page.getByLabel("Photo", { exact: true });
  await file.setInputFiles({ name: "small.png", mimeType: "image/png", buffer: await image(300, 150) });
  await expect(page.getByText("The image has 300 by 150 pixels")).toBeVisible();

  await file.setInputFiles({ name: "wide.png", mimeType: "image/png", buffer: await image(640, 400) });
  const dialog = page.getByRole("dialog");
  await expect(dialog.getByRole("slider", { name: "Zoom" })).toBeVisible();
  await dialog.getByRole("button", { name: "Use image" }).click();
  await page.getByLabel("First name").fill("Harbor");
  await page.getByRole("button", { name: "Create card" }).click();

  await expect(page.getByText("Contact card created")).toBeVisible();
  const card = await cardOfDemoLine();
  expect(card).toMatchObject({ first_name: "Harbor", is_active: true });
  const stored = await fetch(card?.image_url ?? "");
  const size = await sharp(Buffer.from(await stored.arrayBuffer())).metadata();
  expect([size.width, size.height]).toEqual([400, 400]);

  await page.getByLabel("Last name (optional)").fill("Nine");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText("Contact card saved")).toBeVisible();
  await page.goto("/contact-cards");
  await expect(page.getByRole("cell", { name: "Harbor Nine" })).toBeVisible();

  await page.getByRole("link", { name: firstRun().line }).click();
  await page.getByRole("button", { name: "Delete" }).click();
  await page.getByRole("button", { name: "Delete card" }).click();
  await expect(page.getByText("No card")).toBeVisible();
});

test("a flagged line says why, refuses writes, and is cleared again", async ({ page }) => {
  const { chatId } = await newPhone();
  await page.goto(`/lines/${await demoLine()}`);
  await page.getByRole("button", { name: "Flag line" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Flag line" }).click();
  await expect(page.getByText("An administrator flagged this line.")).toBeVisible();
  expect((await send(chatId, "refused")).body.error.code).toBe(2027);

  await page.getByRole("button", { name: "Clear flag" }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "Clear flag" }).click();

  await expect(page.getByText("An administrator flagged this line.")).toHaveCount(0);
  expect((await send(chatId, "accepted")).status).toBe(202);
});

test("the health board leads to an unanswered chat, narrowed by the address", async ({ page }) => {
  const { chatId, handle } = await newPhone();
  for (let sent = 0; sent < 5; sent++) await send(chatId, "are you there?");
  const row = page.getByRole("link", { name: handle });

  await expect(async () => {
    await page.goto(`/chat-health?status=AT_RISK&q=${encodeURIComponent(handle)}`);
    await expect(row).toBeVisible({ timeout: 2000 });
  }).toPass({ timeout: 60_000 });

  await expect(page.getByText("Repeated text")).toBeVisible();
  await row.click();
  await expect(page).toHaveURL(new RegExp(`/chats/${chatId}`));
});

test("an option and an app clip are changed, and the audit log says by whom", async ({ page }) => {
  await page.goto("/settings");
  const name = `Order ${Date.now()}`;
  await page.getByLabel("Name", { exact: true }).fill(name);
  await page.getByLabel("URL prefix").fill(`https://clips.example.com/${Date.now()}`);
  await page.getByRole("button", { name: "Register app clip" }).click();
  await expect(page.getByRole("list", { name: "App clips" })).toContainText(name);
  await page.getByRole("button", { name: `Remove ${name}` }).click();
  await expect(page.getByText(`${name} was removed`)).toBeVisible();

  await page.getByRole("link", { name: "Audit log" }).click();
  const entry = page.getByRole("row").filter({ hasText: "App clip removed" }).filter({ hasText: name });
  await expect(entry).toBeVisible();
  await page.getByRole("combobox", { name: "Object" }).click();
  await page.getByRole("option", { name: "App clip" }).click();
  await expect(page).toHaveURL(/object=app_clip/);
  await expect(entry).toBeVisible();
  await page.goto("/settings/audit-log?actor=api&object=app_clip");
  await expect(page.getByText("No entries match these filters")).toBeVisible();
});

test("quiet hours that can't be switched off are still shown, with the failure", async ({ page }) => {
  const options = await (await page.request.get("/api/account/options")).json();
  let quiet_hours: unknown = null;
  // Simulated, because real quiet hours hold the messages of other tests.
  await page.route("**/api/account/options", async (route) => {
    const isChange = route.request().method() === "PATCH";
    const to = isChange ? route.request().postDataJSON().quiet_hours : quiet_hours;
    if (isChange && to === null) {
      await route.fulfill({ status: 500, json: { error: { code: 3006, message: "Internal server error" } } });
      return;
    }
    quiet_hours = to;
    await route.fulfill({ json: { ...options, quiet_hours } });
  });
  await page.goto("/settings");
  const action = page.getByRole("combobox", { name: "In quiet hours" });
  await action.click();
  await page.getByRole("option", { name: "Send messages when they end" }).click();
  await page.getByRole("button", { name: "Save quiet hours" }).click();
  await expect(page.getByText("Settings saved")).toBeVisible();
  await action.click();
  await page.getByRole("option", { name: "Off", exact: true }).click();

  await expect(page.getByRole("alert").filter({ hasText: "Quiet hours were not changed" })).toBeVisible();
  await expect(action).toHaveText("Send messages when they end");
  await expect(page.getByLabel("Default time zone")).toBeVisible();
});

test("support sees lines, cards and settings, and can change none", async ({ browser }) => {
  const page = await signInInvited(browser, "support");
  const line = await demoLine();
  for (const path of [`/lines/${line}`, `/lines/${line}/audits`, `/contact-cards/${line}`, "/settings"]) {
    await page.goto(path);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    const changing = /^(Save|Flag line|Run audit|Create card|Choose image|Register app clip)$/;
    await expect(page.getByRole("button", { name: changing })).toHaveCount(0);
  }
  await expect(page.getByRole("switch", { name: "RCS" })).toBeDisabled();
  const forced = await page.request.patch("/api/account/options", {
    data: { rcs: false },
    headers: { origin: new URL(page.url()).origin },
  });
  expect(forced.status()).toBe(403);
  await page.context().close();
});

test("axe finds nothing on a search for a line that finds none", async ({ page }) => {
  await expectPagesAccessible(page, ["/lines?q=000000"]);
});
