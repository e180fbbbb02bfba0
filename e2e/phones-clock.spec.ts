import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "@playwright/test";
import { findFreePort } from "../scripts/instance/find-free-port.mjs";
import { startProcess } from "../scripts/instance/start-process.mjs";
import { logOf, phoneOf, say } from "./phone-wall";
import type { FirstRun } from "./test-instance";

/** A code ends after ten minutes. */
const TOO_LATE = "11m";
const CODE = /(\d{6}) is your code to let /g;

let dataDir: string;
let server: Awaited<ReturnType<typeof startProcess>>;
let demo: FirstRun;

// An instance of its own: the clock of the other tests must not move.
test.beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), "trunkline-e2e-"));
  const port = await findFreePort();
  const baseUrl = `http://localhost:${port}`;
  server = await startProcess({
    args: ["scripts/start.mjs"],
    env: {
      PORT: String(port),
      BASE_URL: baseUrl,
      DATA_DIR: dataDir,
      DATABASE_URL: "",
      LOG_LEVEL: "warn",
      CLOCK_CONTROL: "1",
    },
    readyUrl: `${baseUrl}/ready`,
  });
  demo = JSON.parse(readFileSync(path.join(dataDir, "first-run.json"), "utf8"));
});

test.afterAll(async () => {
  await server?.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function call(what: `${string} ${string}`, body?: object) {
  const [method, where] = what.split(" ");
  const response = await fetch(`${demo.base_url}${where}`, {
    method,
    headers: { authorization: `Bearer ${demo.token}`, "content-type": "application/json" },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  return { status: response.status, body: await response.json() };
}

test("a person enters a one-time code too late and is refused, then a new one in time", async ({ page }) => {
  const handle = "+15550100199";
  await call("POST /simulator/phones", { handle, name: "Lee Late", delay_ms: 0 });
  const { body: hello } = await call(`POST /simulator/phones/${handle}/messages`, {
    to: demo.line,
    text: "Hi",
  });
  await page.goto(`${demo.base_url}/sign-in`);
  await page.getByLabel("Email").fill(demo.admin.email);
  await page.getByLabel("Password", { exact: true }).fill(demo.admin.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { name: "Home", level: 1 }).waitFor();
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
