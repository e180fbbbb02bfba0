import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import { type ApiAnswer, callApi } from "@/lib/testing/call-api";
import { fetchFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createDirectChat, createTestPhone } from "@/lib/testing/factories";
import { sampleImage } from "@/lib/testing/samples/file-samples";
import { startFileServer } from "@/lib/testing/servers/start-file-server";

process.env.MEDIA_ALLOW_PRIVATE = "127.0.0.1";

let account: TestAccount;
let chatId: string;
let files: Awaited<ReturnType<typeof startFileServer>>;

beforeAll(async () => {
  account = await createTestAccount({ type: "sandbox" });
  chatId = await createDirectChat(account, await createTestPhone(account));
  const [webp, png, gif] = await Promise.all([sampleImage("webp"), sampleImage("png"), sampleImage("gif")]);
  files = await startFileServer({
    "/a.webp": webp,
    "/photo": webp,
    "/image.php": png,
    "/a.gif": gif,
    "/page.png": Buffer.from("<!doctype html><p>hello"),
    "/cut.png": png.subarray(0, 20),
  });
});
afterAll(() => files.close());

function sendCard(path: string): Promise<ApiAnswer> {
  const app = { bundle_id: "com.example.game", name: "Game", team_id: "ABCDE12345" };
  const part = { type: "imessage_app", app, layout: { image_url: `${files.url}${path}` } };
  const body = { message: { parts: [part] } };
  return callApi(`POST /v3/chats/${chatId}/messages`, { token: account.token, body });
}

test.each([
  ["/a.webp", "image/webp"],
  ["/photo", "image/webp"],
  ["/image.php", "image/png"],
])("the type of the image at %s is detected from its bytes, whatever its name", async (path, type) => {
  const { status, body } = await sendCard(path);
  expect(status).toBe(202);
  const shown = await fetchFile(body.message.parts[0].layout.image_url);
  expect([shown.status, shown.headers.get("content-type")]).toEqual([200, type]);
});

test.each([
  ["/a.gif", 5006],
  ["/page.png", 5006],
  ["/cut.png", 5006],
  ["/nothing.png", 5007],
])("the file at %s is refused as the image of a card", async (path, code) => {
  const { status, body } = await sendCard(path);
  expect([status, body.error.code]).toEqual([400, code]);
});
