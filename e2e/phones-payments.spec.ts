import { connect, createAgentPayment, readPhoneCode } from "./agent-customer";
import { newPhone, send, sendRequest } from "./partner-program";
import { logOf, nameOf, openWall, phoneOf, say } from "./phone-wall";
import { expect, test } from "./signed-in";
import { addAuthenticator } from "./virtual-authenticator";

const CODE = /(\d{6}) is your code to let /;

test("a person replies with a wrong code, then with the right one, and is connected", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Cora Coded");
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Cora Coded");
  const { body } = await sendRequest(`POST /v3/payments/handles/${handle}/connect`);
  await expect(logOf(phone)).toContainText(CODE);
  const code = CODE.exec((await logOf(phone).textContent()) ?? "")?.[1] ?? "";

  // The partner's program: verifies the text that the person sent last.
  const verify = async () => {
    const { body: chat } = await sendRequest(`GET /v3/chats/${chatId}/messages`);
    const texts = chat.messages.filter(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
    return sendRequest(`POST /v3/payments/handles/${handle}/verify`, {
      code: texts[0].parts[0].value,
      connect_id: body.connect_id,
    });
  };
  await say(
    phone,
    code.replace(/./g, (digit) => String((Number(digit) + 1) % 10)),
  );
  expect((await verify()).status).toBeGreaterThanOrEqual(400);
  await say(phone, code);
  expect((await verify()).body.status).toBe("connected");
});

test("a person adds a card and a passkey in the phone's browser and approves the payment", async ({
  page,
}) => {
  await addAuthenticator(page);
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Pia Keys");
  await connect(handle);
  const payment = await createAgentPayment(handle);
  await send(chatId, `Please confirm: ${payment.attach_url}`);
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Pia Keys");
  await logOf(phone)
    .getByRole("article")
    .filter({ hasText: "Please confirm" })
    .getByRole("button", { name: /\/wallet\/attach\// })
    .click();
  const wallet = phone.frameLocator("iframe");
  await expect(wallet.getByText("$42.00")).toBeVisible();
  await wallet.getByRole("button", { name: "Add card" }).click();
  await wallet.getByRole("button", { name: "Send code" }).click();
  await wallet.getByLabel("Code").fill(await readPhoneCode(handle, "create a passkey"));
  await wallet.getByRole("button", { name: "Create a passkey" }).click();
  await wallet.getByRole("button", { name: "Approve with passkey" }).click();
  await expect(wallet.getByRole("heading", { name: "Payment approved" })).toBeVisible();
  expect((await createAgentPayment(handle)).status).toBe("ready");
  await phone.getByRole("button", { name: "Close page" }).click();
  await expect(logOf(phone)).toContainText("Please confirm");
});

test("a card opens in its app, and shows its static content on a phone without the app", async ({ page }) => {
  const { handle, chatId } = await newPhone();
  await nameOf(handle, "Abe Apps");
  const app = { bundle_id: "com.example.table", name: "Tables", team_id: "ABCDE12345" };
  await sendRequest(`POST /v3/chats/${chatId}/messages`, {
    message: {
      parts: [
        {
          type: "imessage_app",
          app,
          layout: { caption: "Dinner for two", subcaption: "Friday at eight" },
          url: "https://tables.example/1",
        },
      ],
    },
  });
  await openWall(page, [handle]);
  const phone = phoneOf(page, "Abe Apps");
  const card = logOf(phone).getByRole("region", { name: "Card of Tables" });
  await expect(card).toContainText("Friday at eight");
  await expect(card).toContainText("Opens in Tables");
  await phone.getByRole("button", { name: "Phone settings" }).click();
  await page.getByRole("switch", { name: "Apps of cards installed" }).click();
  await page.keyboard.press("Escape");
  await expect(card).toContainText("Tables is not installed");
  await expect(card).toContainText("Friday at eight");
  await expect(card).not.toContainText("Opens in");
});
