import "@/lib/testing/use-test-database";

import { beforeAll, describe, expect, test, vi } from "vitest";
import { objectStore } from "@/lib/adapters/storage/registry";
import { insertAttachments } from "@/lib/attachments/insert-attachments";
import { setAttachmentTier } from "@/lib/attachments/retention/set-attachment-tier";
import { startAttachmentSweep } from "@/lib/attachments/retention/sweep-attachments";
import { prisma, sql } from "@/lib/platform/database/db";
import { wake } from "@/lib/platform/database/wake";
import { newId } from "@/lib/platform/ids";
import { setClock } from "@/lib/platform/time/clock";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile, type UploadedFile, uploadFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { advanceClock } from "@/lib/testing/factories";
import { FILES, sampleImage } from "@/lib/testing/samples/file-samples";
import { until } from "@/lib/testing/until";

let account: TestAccount;
let png: Buffer;

beforeAll(async () => {
  account = await createTestAccount({ type: "production" });
  png = await sampleImage("png");
});

function announce(body: object) {
  return callApi("POST /v3/attachments", { token: account.token, body });
}

const image = () => ({ filename: "menu card.png", content_type: "image/png", size_bytes: png.length });

async function uploaded(content: Buffer = png, more: object = {}): Promise<UploadedFile> {
  const { body } = await announce({ ...image(), size_bytes: content.length, ...more });
  expect((await uploadFile(body, content)).status).toBe(200);
  return body;
}

describe("announcing", () => {
  test("answers the address, its headers and its end, and where the file will be", async () => {
    const { status, body } = await announce(image());
    expect(status).toBe(200);
    expect(body.http_method).toBe("PUT");
    expect(body.required_headers).toEqual({
      "Content-Type": "image/png",
      "Content-Length": String(png.length),
    });
    expect(body.download_url).toBe(
      `http://trunkline.test/attachments/partners/${account.ref.partnerId}/${body.attachment_id}/menu%20card.png`,
    );
    expect(Math.abs(Date.parse(body.expires_at) - Date.now() - 15 * 60_000)).toBeLessThan(5000);
  });

  test.each([
    ["no filename", { filename: undefined }, 1001],
    ["an empty filename", { filename: "" }, 1005],
    ["256 characters", { filename: "f".repeat(256) }, 1005],
    ["a folder", { filename: "../../etc/passwd" }, 1005],
    ["dots alone", { filename: ".." }, 1005],
    ["text that turns round", { filename: "gpj.\u202eexe" }, 1005],
    ["FLAC", { content_type: "audio/flac" }, 5004],
    ["OGG", { content_type: "audio/ogg" }, 5004],
    ["an executable", { content_type: "application/x-msdownload" }, 5004],
    ["something else", { content_type: "image/avif" }, 5004],
    ["no type", { content_type: undefined }, 1001],
    ["nothing", { size_bytes: 0 }, 1005],
    ["half a byte", { size_bytes: 1.5 }, 1005],
    ["a text as size", { size_bytes: "12" }, 1005],
    ["more than 100 MB", { size_bytes: 100 * 1024 * 1024 + 1 }, 5005],
  ])("%s is refused", async (_, change, code) => {
    const { status, body } = await announce({ ...image(), ...change });
    expect([status, body.error.code]).toEqual([400, code]);
  });

  test("exactly 100 MB may come", async () => {
    expect((await announce({ ...image(), size_bytes: 100 * 1024 * 1024 })).status).toBe(200);
  });
});

describe("uploading", () => {
  test("the bytes are stored, the attachment is complete, and its address serves them", async () => {
    const file = await uploaded();
    const { body } = await callApi(`GET /v3/attachments/${file.attachment_id}`, { token: account.token });
    expect(body).toEqual({
      id: file.attachment_id,
      content_type: "image/png",
      created_at: expect.any(String),
      filename: "menu card.png",
      size_bytes: png.length,
      status: "complete",
      download_url: file.download_url,
    });
    expect((await fetchFile(file.download_url)).bytes.equals(png)).toBe(true);
  });

  test("until then it is pending, and its address is 404", async () => {
    const { body } = await announce(image());
    const { body: shown } = await callApi(`GET /v3/attachments/${body.attachment_id}`, {
      token: account.token,
    });
    expect(shown.status).toBe("pending");
    expect((await fetchFile(body.download_url)).status).toBe(404);
  });

  test("a deprecated name is signed as it was asked for and answered as its replacement", async () => {
    const { body } = await announce({
      filename: "a.mp3",
      content_type: "audio/mp3",
      size_bytes: FILES.mp3.length,
    });
    expect(body.required_headers["Content-Type"]).toBe("audio/mp3");
    expect((await uploadFile(body, FILES.mp3)).status).toBe(200);
    const { body: shown } = await callApi(`GET /v3/attachments/${body.attachment_id}`, {
      token: account.token,
    });
    expect(shown.content_type).toBe("audio/mpeg");
  });

  test.each([
    ["another Content-Type", { "Content-Type": "image/jpeg" }],
    ["another Content-Length", { "Content-Length": "7" }],
    ["no Content-Type", { "Content-Type": "" }],
  ])("%s is 403, and nothing is stored", async (_, headers) => {
    const { body } = await announce(image());
    const answer = await uploadFile(body, png, headers);
    expect([answer.status, answer.body.error.code]).toEqual([403, 2005]);
    expect(answer.body.trace_id).toMatch(/^[0-9a-f]{32}$/);
    const { body: shown } = await callApi(`GET /v3/attachments/${body.attachment_id}`, {
      token: account.token,
    });
    expect(shown.status).toBe("pending");
  });

  test("a changed signature is 403", async () => {
    const { body } = await announce(image());
    const url = body.upload_url.replace(/expires=\d+/, `expires=${Date.now() + 9_000_000}`);
    expect((await uploadFile({ ...body, upload_url: url }, png)).status).toBe(403);
  });

  test("after 15 minutes it is too late", async () => {
    const { body } = await announce(image());
    const late = await minutesLater(15.1, () => uploadFile(body, png));
    expect([late.status, late.body.error.code]).toEqual([403, 2005]);
  });

  test("more bytes than announced are 5005, fewer are 1003; both may be tried again", async () => {
    const { body } = await announce(image());
    const long = await uploadFile(body, Buffer.concat([png, png]));
    expect([long.status, long.body.error.code]).toEqual([400, 5005]);
    const short = await uploadFile(body, png.subarray(0, 20));
    expect([short.status, short.body.error.code]).toEqual([400, 1003]);
    expect((await uploadFile(body, png)).status).toBe(200);
  });

  test("an upload that breaks off leaves nothing and may be tried again", async () => {
    const { body } = await announce(image());
    async function* breaking() {
      yield png.subarray(0, 10);
      throw new Error("the client is gone");
    }
    const broken = await uploadFile(body, breaking());
    expect([broken.status, broken.body.error.code]).toEqual([500, 5001]);
    expect((await uploadFile(body, png)).status).toBe(200);
  });

  test("an uploaded file stays: a second upload is 409", async () => {
    const file = await uploaded();
    const again = await uploadFile(file, png);
    expect([again.status, again.body.error.code]).toEqual([409, 2015]);
  });

  test.each([
    ["an executable declared as an image", "image/jpeg", () => FILES.elf],
    ["an HTML page declared as an image", "image/png", () => FILES.html],
    ["a truncated image", "image/png", () => png.subarray(0, png.length - 12)],
    ["FLAC as WAV", "audio/x-wav", () => FILES.flac],
    ["an archive as a pass", "application/vnd.apple.pkpass", () => FILES.zip],
  ])("%s is 5006, its bytes are removed, and it has failed", async (_, content_type, content) => {
    const bytes = content();
    const { body } = await announce({ filename: "file", content_type, size_bytes: bytes.length });
    const answer = await uploadFile(body, bytes);
    expect([answer.status, answer.body.error.code]).toEqual([400, 5006]);
    expect((await fetchFile(body.download_url)).status).toBe(404);
    const { body: shown } = await callApi(`GET /v3/attachments/${body.attachment_id}`, {
      token: account.token,
    });
    expect(shown).toMatchObject({ status: "failed" });
    expect(shown).not.toHaveProperty("download_url");
  });
});

describe("serving", () => {
  test("ranges: a piece, the end, past the end", async () => {
    const { download_url } = await uploaded();
    const piece = await fetchFile(download_url, { range: "bytes=1-3" });
    expect([piece.status, piece.bytes.toString("latin1")]).toEqual([206, "PNG"]);
    expect(piece.headers.get("content-range")).toBe(`bytes 1-3/${png.length}`);
    expect(piece.headers.get("content-length")).toBe("3");

    const end = await fetchFile(download_url, { range: "bytes=-8" });
    expect(end.bytes.equals(png.subarray(-8))).toBe(true);
    const rest = await fetchFile(download_url, { range: `bytes=${png.length - 4}-` });
    expect(rest.bytes.equals(png.subarray(-4))).toBe(true);

    const past = await fetchFile(download_url, { range: `bytes=${png.length}-` });
    expect([past.status, past.headers.get("content-range")]).toEqual([416, `bytes */${png.length}`]);
    for (const range of ["bytes=5-1", "lines=1-2", "bytes=0-1,4-5", "bytes=-", "nonsense"]) {
      expect((await fetchFile(download_url, { range })).status).toBe(200);
    }
  });

  test("a copy that is known is 304, and HEAD has no body", async () => {
    const { download_url } = await uploaded();
    const { headers } = await fetchFile(download_url);
    const known = await fetchFile(download_url, { "if-none-match": headers.get("etag") ?? "" });
    expect([known.status, known.bytes.length]).toEqual([304, 0]);
    const head = await fetchFile(download_url, {}, "HEAD");
    expect([head.status, head.bytes.length, head.headers.get("content-length")]).toEqual([
      200,
      0,
      String(png.length),
    ]);
  });

  test.each([
    ["text/html", "html", "text/html; charset=utf-8"],
    ["image/svg+xml", "svg", "image/svg+xml"],
  ] as const)("%s runs nothing: sandbox, nosniff", async (content_type, name, served) => {
    const { download_url } = await uploaded(FILES[name], { filename: "page", content_type });
    const { headers } = await fetchFile(download_url);
    expect(headers.get("content-type")).toBe(served);
    expect(headers.get("content-security-policy")).toMatch(/default-src 'none'.*sandbox/);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("its name comes along, whatever is in it", async () => {
    const filename = 'Gäste "liste", 100%.zip';
    const { download_url } = await uploaded(FILES.zip, { filename, content_type: "application/zip" });
    const { status, headers } = await fetchFile(download_url);
    expect(status).toBe(200);
    expect(headers.get("content-disposition")).toBe(
      `attachment; filename="G_ste _liste_, 100_.zip"; filename*=UTF-8''G%C3%A4ste%20%22liste%22%2C%20100%25.zip`,
    );
  });

  test("under another partner, or no such id, it is 404", async () => {
    const file = await uploaded();
    const other = await createTestAccount({ type: "production" });
    for (const url of [
      file.download_url.replace(account.ref.partnerId, other.ref.partnerId),
      file.download_url.replace(file.attachment_id, crypto.randomUUID()),
      file.download_url.replace(file.attachment_id, "nothing"),
    ]) {
      expect((await fetchFile(url)).body?.error.code).toBe(2003);
    }
  });
});

describe("ownership and deletion", () => {
  test("another account's attachment is 404/2003, as if it were not", async () => {
    const file = await uploaded();
    const other = await createTestAccount({ type: "production" });
    for (const method of ["GET", "DELETE"]) {
      const foreign = await callApi(`${method} /v3/attachments/${file.attachment_id}`, {
        token: other.token,
      });
      const unknown = await callApi(`${method} /v3/attachments/${crypto.randomUUID()}`, {
        token: other.token,
      });
      expect([foreign.status, foreign.body.error.code]).toEqual([404, 2003]);
      expect({ ...foreign.body, trace_id: "" }).toEqual({ ...unknown.body, trace_id: "" });
    }
  });

  test("a deleted file is gone from everywhere, and who did it is on record", async () => {
    const file = await uploaded();
    const gone = await callApi(`DELETE /v3/attachments/${file.attachment_id}`, { token: account.token });
    expect([gone.status, gone.body]).toEqual([204, null]);

    expect((await fetchFile(file.download_url)).status).toBe(404);
    const again = await callApi(`DELETE /v3/attachments/${file.attachment_id}`, { token: account.token });
    expect([again.status, again.body.error.code]).toEqual([404, 2003]);
    const entry = await prisma().auditEntry.findFirst({ where: { objectId: file.attachment_id } });
    expect(entry).toMatchObject({ action: "attachment.deleted", actorType: "api" });
  });

  test("an upload that ends after the deletion keeps nothing", async () => {
    const { body } = await announce(image());
    async function* slow() {
      yield png.subarray(0, 10);
      await callApi(`DELETE /v3/attachments/${body.attachment_id}`, { token: account.token });
      yield png.subarray(10);
    }
    const answer = await uploadFile(body, slow());
    expect([answer.status, answer.body.error.code]).toEqual([404, 2003]);
    expect((await fetchFile(body.download_url)).status).toBe(404);
  });
});

/** Runs `run` with the wall clock moved forward, because signatures use the wall clock. */
async function minutesLater<Result>(minutes: number, run: () => Promise<Result>): Promise<Result> {
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + minutes * 60_000 });
  try {
    return await run();
  } finally {
    vi.useRealTimers();
  }
}

describe("the ephemeral tier", () => {
  test("a pre-upload sent on an ephemeral line becomes ephemeral; one whose send is refused does not", async () => {
    const lined = await createTestAccount({ type: "production" });
    await setAttachmentTier({ account: lined.ref, phoneNumber: lined.line }, "ephemeral");
    const { chatId } = await lined.sendFirst("+15550006667");
    const announced = async () => {
      const { body } = await callApi("POST /v3/attachments", { token: lined.token, body: image() });
      await uploadFile(body, png);
      return body;
    };
    const sent = await announced();
    const part = { type: "media", attachment_id: sent.attachment_id };
    const post = (parts: object[], more: object = {}) =>
      callApi(`POST /v3/chats/${chatId}/messages`, {
        token: lined.token,
        body: { message: { parts, ...more } },
      });
    const { body } = await post([part]);
    expect((await fetchFile(sent.download_url)).status).toBe(404);
    expect((await fetchFile(body.message.parts[0].url)).status).toBe(200);

    const kept = await announced();
    const reply_to = { message_id: crypto.randomUUID() };
    expect((await post([{ ...part, attachment_id: kept.attachment_id }], { reply_to })).status).toBe(404);
    expect((await fetchFile(kept.download_url)).status).toBe(200);
  });

  test("addresses are signed for 15 minutes, and fresh at every GET", async () => {
    const ephemeral = await createTestAccount({ type: "production" });
    await setAttachmentTier({ account: ephemeral.ref }, "ephemeral");
    const { body } = await callApi("POST /v3/attachments", { token: ephemeral.token, body: image() });
    await uploadFile(body, png);
    expect((await fetchFile(body.download_url)).status).toBe(200);
    expect((await fetchFile(body.download_url.split("?")[0] ?? "")).status).toBe(404);
    expect((await fetchFile(body.download_url.replace(/expires=\d/, "expires=9"))).status).toBe(403);

    const [late, fresh] = await minutesLater(16, async () => {
      const { body: shown } = await callApi(`GET /v3/attachments/${body.attachment_id}`, {
        token: ephemeral.token,
      });
      return [await fetchFile(body.download_url), await fetchFile(shown.download_url)];
    });
    expect([late.status, fresh.status]).toEqual([403, 200]);

    await callApi(`DELETE /v3/attachments/${body.attachment_id}`, { token: ephemeral.token });
    const gone = await minutesLater(16, () => fetchFile(body.download_url));
    const forged = await fetchFile(body.download_url.replace(/expires=\d/, "expires=9"));
    expect([gone.status, forged.status]).toEqual([404, 404]);
  });

  test("a line's tier comes before its account's, and null takes it back", async () => {
    const { ref, line } = await createTestAccount({ type: "production" });
    await setAttachmentTier({ account: ref, phoneNumber: line }, "ephemeral");
    const { id: lineId } = await prisma().line.findUniqueOrThrow({ where: { phoneNumber: line } });
    const file = { filename: "a.png", contentType: "image/png", sizeBytes: 1 };
    const tierOf = async (over: string | null) => {
      const files = [{ ...file, id: newId(Date.now()) }];
      const how = { lineId: over, source: "url", status: "complete", at: new Date() } as const;
      const stored = { accountId: ref.id, ...how, files };
      return (await insertAttachments(sql, stored))[0]?.tier;
    };
    expect([await tierOf(lineId), await tierOf(null)]).toEqual(["ephemeral", "persistent"]);
    await setAttachmentTier({ account: ref, phoneNumber: line }, null);
    expect(await tierOf(lineId)).toBe("persistent");
    await expect(setAttachmentTier({ account: ref, phoneNumber: "+15550001111" }, null)).rejects.toThrow();
  });

  test("a day later bytes, row and the part's reference are gone; persistent files stay", async () => {
    const ephemeral = await createTestAccount({ type: "production" });
    const kept = await uploaded();
    await setAttachmentTier({ account: ephemeral.ref }, "ephemeral");
    const { chatId } = await ephemeral.sendFirst("+15550006666");
    const { body: file } = await callApi("POST /v3/attachments", { token: ephemeral.token, body: image() });
    await uploadFile(file, png);
    const sent = await callApi(`POST /v3/chats/${chatId}/messages`, {
      token: ephemeral.token,
      body: { message: { parts: [{ type: "media", attachment_id: file.attachment_id }] } },
    });

    const sweep = startAttachmentSweep();
    advanceClock(24 * 60 * 60 + 60);
    wake("attachments");
    const shown = () => callApi(`GET /v3/attachments/${file.attachment_id}`, { token: ephemeral.token });
    await until(async () => (await shown()).status === 404);
    await sweep.stop();

    const message = await callApi(`GET /v3/messages/${sent.body.message.id}`, { token: ephemeral.token });
    expect(message.body.parts).toMatchObject([{ id: null, url: null, filename: "menu card.png" }]);
    expect(await objectStore().head(`${ephemeral.ref.id}/${file.attachment_id}`)).toBeNull();
    expect((await fetchFile(kept.download_url)).status).toBe(200);
    setClock(null);
  });
});
