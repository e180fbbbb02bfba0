import { expect, test } from "@playwright/test";
import { type OwnInstance, startOwnInstance } from "./own-instance";
import { logOf, phoneOf, say } from "./phone-wall";

/** A code ends after ten minutes. */
const TOO_LATE = "11m";
const CODE = /(\d{6}) is your code to let /g;

let instance: OwnInstance;

test.beforeAll(async () => {
  test.setTimeout(300_000);
  instance = await startOwnInstance();
});
test.afterAll(() => instance?.stop());

test("a person enters a one-time code too late and is refused, then a new one in time", async ({ page }) => {
  const { demo, call } = instance;
  const handle = "+15550100199";
  await call("POST /simulator/phones", { handle, name: "Lee Late", delay_ms: 0 });
  const { body: hello } = await call(`POST /simulator/phones/${handle}/messages`, {
    to: demo.line,
    text: "Hi",
  });
  await instance.signIn(page);
  await page.goto(`${demo.base_url}/phones?open=${encodeURIComponent(handle)}`);
  const phone = phoneOf(page, "Lee Late");
  await page.locator("html[data-hydrated=true]").waitFor();

  const readCodes = async () =>
    [...((await logOf(phone).textContent()) ?? "").matchAll(CODE)].map(([, code = ""]) => code);
  // The partner's program: verifies the text that the person sent last.
  const verify = async (connectId: string) => {
    const { body: chat } = await call(`GET /v3/chats/${hello.chat_id}/messages`);
    const texts = chat.messages.filter(({ is_from_me }: { is_from_me: boolean }) => !is_from_me);
    const entered = { code: texts[0].parts[0].value, connect_id: connectId };
    return call(`POST /v3/payments/handles/${handle}/verify`, entered);
  };

  const { body: first } = await call(`POST /v3/payments/handles/${handle}/connect`);
  await expect.poll(readCodes).toHaveLength(1);
  await call("POST /simulator/clock", { advance: TOO_LATE });
  const [late = ""] = await readCodes();
  await say(phone, late);
  const refused = await verify(first.connect_id);
  expect(refused).toMatchObject({
    status: 400,
    body: { error: { message: expect.stringMatching(/expired/) } },
  });

  const { body: second } = await call(`POST /v3/payments/handles/${handle}/connect`);
  await expect.poll(readCodes).toHaveLength(2);
  await say(phone, (await readCodes())[1] ?? "");
  expect((await verify(second.connect_id)).body.status).toBe("connected");
});
