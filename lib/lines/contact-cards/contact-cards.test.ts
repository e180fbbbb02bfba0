import "@/lib/testing/use-test-database";

import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AdapterError } from "@/lib/adapters/adapter-error";
import { registerTransport } from "@/lib/adapters/transports/registry";
import { simulator } from "@/lib/adapters/transports/simulator/simulator";
import { release, releaseLine } from "@/lib/lines/assignment/release-line";
import { deleteContactCard } from "@/lib/lines/contact-cards/delete-contact-card";
import { createLine } from "@/lib/lines/lines/create-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import { prisma, transaction } from "@/lib/platform/database/db";
import { newId } from "@/lib/platform/ids";
import { callApi } from "@/lib/testing/call-api";
import { fetchFile } from "@/lib/testing/call-files";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { untilLocked } from "@/lib/testing/database/until-locked";
import { FILES } from "@/lib/testing/samples/file-samples";
import { startFileServer } from "@/lib/testing/servers/start-file-server";

process.env.MEDIA_ALLOW_PRIVATE = "127.0.0.1";

let account: TestAccount;
let png: Buffer;
let files: Awaited<ReturnType<typeof startFileServer>>;

function photo(format: "png" | "jpeg" | "webp" | "gif", width = 200, height = width): Promise<Buffer> {
  const create = { width, height, channels: 3, background: { r: 9, g: 99, b: 199 } } as const;
  return sharp({ create }).toFormat(format).toBuffer();
}

/** The header and size boxes of a HEIC file, which are readable without a HEIC decoder. */
function heic(...sides: [width: number, height: number][]): Buffer {
  const boxes = sides.map(([width, height]) => {
    const box = Buffer.alloc(20);
    box.writeUInt32BE(20, 0);
    box.write("ispe", 4, "latin1");
    box.writeUInt32BE(width, 12);
    box.writeUInt32BE(height, 16);
    return box;
  });
  return Buffer.concat([FILES.heic, ...boxes]);
}

beforeAll(async () => {
  png = await photo("png");
  files = await startFileServer({
    "/ok.png": png,
    "/other.jpg": await photo("jpeg", 300),
    "/ok.webp": await photo("webp"),
    "/lying.txt": await photo("jpeg"),
    "/ok.heic": heic([128, 128], [640, 640]),
    "/wide.heic": heic([640, 480], [320, 320]),
    "/small.png": await photo("png", 199),
    "/wide.png": await photo("png", 400, 200),
    "/moving.gif": await photo("gif"),
    "/page.png": FILES.html,
    "/cut.jpg": (await photo("jpeg")).subarray(0, 12),
    "/huge.png": Buffer.concat([png, Buffer.alloc(10 * 1024 * 1024)]),
  });
});

afterAll(() => files.close());

beforeEach(async () => {
  account = await createTestAccount({ type: "sandbox" });
});

function create(more: object = {}) {
  const body = { phone_number: account.line, first_name: "Harbor", ...more };
  return callApi("POST /v3/contact_card", { token: account.token, body });
}

function change(body: unknown, number = account.line) {
  const path = `/v3/contact_card?phone_number=${encodeURIComponent(number)}` as const;
  return callApi(`PATCH ${path}`, { token: account.token, body });
}

function remove() {
  const query = { phone_number: account.line };
  return deleteContactCard(account.context(), { params: undefined, query, body: undefined });
}

async function list(query = "") {
  const { body } = await callApi(`GET /v3/contact_card${query}`, { token: account.token });
  return body.contact_cards;
}

function knobs(body: object) {
  return callApi(`PUT /simulator/lines/${account.line}`, { token: account.token, body });
}

/** The line's card on the simulated network. */
async function shown() {
  const line = await prisma().simulatorLine.findFirst({ where: { accountId: account.ref.id } });
  return line?.contactCard;
}

function eventsOf(type: string) {
  return prisma().event.findMany({ where: { accountId: account.ref.id, type } });
}

function codeOf({ status, body }: { status: number; body: { error: { code: number } } }): [number, number] {
  return [status, body.error.code];
}

describe("setting up", () => {
  test("returns the active card, with its image at a URL of Trunkline, and puts it on the line", async () => {
    const { status, body } = await create({ last_name: "Kitchen", image_url: `${files.url}/ok.png` });

    expect(status).toBe(201);
    expect(body).toEqual({
      first_name: "Harbor",
      last_name: "Kitchen",
      phone_number: account.line,
      image_url: expect.stringMatching(/^http:\/\/trunkline\.test\/attachments\/partners\/.+\/ok\.png$/),
      is_active: true,
    });
    expect((await fetchFile(body.image_url)).bytes.equals(png)).toBe(true);
    expect(await shown()).toEqual({
      first_name: "Harbor",
      last_name: "Kitchen",
      image: { filename: "ok.png", mime_type: "image/png" },
    });
    expect(await list()).toEqual([body]);
    const [event] = await eventsOf("contact_card.created");
    expect(event?.data).toMatchObject({
      phone_number: account.line,
      contact_card: { first_name: "Harbor", last_name: "Kitchen", image: { filename: "ok.png" } },
    });
  });

  test("leaves out what the card does not have", async () => {
    expect((await create()).body).toEqual({
      first_name: "Harbor",
      phone_number: account.line,
      is_active: true,
    });
  });

  test.each(["/ok.webp", "/lying.txt", "/other.jpg", "/ok.heic"])(
    "detects the type of an image from its bytes: %s",
    async (path) => {
      const { status, body } = await create({ image_url: files.url + path });
      expect([status, typeof body.image_url]).toEqual([201, "string"]);
    },
  );

  test.each([
    ["/nothing.png", 5007],
    ["/huge.png", 5007],
    ["/page.png", 5006],
    ["/moving.gif", 5006],
    ["/cut.jpg", 5006],
    ["/small.png", 1005],
    ["/wide.png", 1005],
    ["/wide.heic", 1005],
  ])("refuses the image %s, and keeps neither card nor file", async (path, code) => {
    expect(codeOf(await create({ image_url: files.url + path }))).toEqual([400, code]);
    expect(await list()).toEqual([]);
    expect(await prisma().attachment.count({ where: { accountId: account.ref.id } })).toBe(0);
  });

  test("an image of the account itself is copied: deleting the original keeps the card's", async () => {
    const first = await create({ image_url: `${files.url}/ok.png` });
    const number = `${account.line}9`;
    await createLine(account.ref, { phoneNumber: number, lineType: "iMessage", transport: "simulator" });
    const second = await create({ phone_number: number, image_url: first.body.image_url });
    await change({ image_url: null });

    expect((await fetchFile(first.body.image_url)).status).toBe(404);
    expect((await fetchFile(second.body.image_url)).bytes.equals(png)).toBe(true);
  });

  test("a second time is 2014, also of twenty at once", async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => create()));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    for (const answer of answers.filter(({ status }) => status !== 201)) {
      expect(codeOf(answer)).toEqual([409, 2014]);
      expect(answer.headers.get("x-should-retry")).toBe("false");
    }
    expect(await eventsOf("contact_card.created")).toHaveLength(1);
  });

  test("a line that does not take it answers 2022 and the card stays inactive; then it can be set up", async () => {
    await knobs({ cards_fail: true });
    expect(codeOf(await create())).toEqual([500, 2022]);
    expect(await list()).toMatchObject([{ first_name: "Harbor", is_active: false }]);
    expect(await eventsOf("contact_card.created")).toEqual([]);
    expect(codeOf(await change({ first_name: "Pier" }))).toEqual([404, 2012]);

    await knobs({ cards_fail: false });
    expect((await create({ first_name: "Pier" })).body).toMatchObject({ is_active: true });
    expect(await list()).toMatchObject([{ first_name: "Pier", is_active: true }]);
  });

  test.each([
    ["no line", { phone_number: undefined }, 400, 1001],
    ["no first name", { first_name: undefined }, 400, 1001],
    ["an empty first name", { first_name: " " }, 400, 1005],
    ["a name of two lines", { last_name: "a\nb" }, 400, 1005],
    ["a number not in E.164", { phone_number: "5550100" }, 400, 1002],
    ["a number that is no line", { phone_number: "+15550109999" }, 403, 2006],
    ["no url", { image_url: "ok.png" }, 400, 1005],
    ["http", { image_url: "http://example.com/ok.png" }, 400, 5007],
  ])("with %s is refused", async (_, more, status, code) => {
    expect(codeOf(await create(more))).toEqual([status, code]);
  });
});

describe("changing", () => {
  test("merges the given fields, deletes the old image, and emits an event that lists the changes", async () => {
    const before = await create({ last_name: "Kitchen", image_url: `${files.url}/ok.png` });
    const { status, body } = await change({ first_name: "Pier", image_url: `${files.url}/other.jpg` });

    expect(status).toBe(200);
    expect(body).toMatchObject({ first_name: "Pier", last_name: "Kitchen", is_active: true });
    expect((await fetchFile(body.image_url)).status).toBe(200);
    expect((await fetchFile(before.body.image_url)).status).toBe(404);
    expect(await shown()).toMatchObject({ first_name: "Pier", image: { mime_type: "image/jpeg" } });
    const [event] = await eventsOf("contact_card.updated");
    expect(event?.data).toMatchObject({
      change: {
        first_name: { from: "Harbor", to: "Pier" },
        image: { from: { filename: "ok.png" }, to: { filename: "other.jpg" } },
      },
    });
  });

  test("of several at once none is lost, on the card and on the line", async () => {
    await create({ last_name: "Kitchen" });
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        change({ first_name: `First ${round}` }),
        change({ last_name: `Last ${round}` }),
        change({ image_url: `${files.url}/${round % 2 === 0 ? "ok.png" : "other.jpg"}` }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const [card] = await list();
      expect(card).toMatchObject({ first_name: `First ${round}`, last_name: `Last ${round}` });
      expect(await shown()).toMatchObject({ first_name: `First ${round}`, last_name: `Last ${round}` });
    }
    expect(await prisma().attachment.count({ where: { accountId: account.ref.id } })).toBe(1);
  });

  test("an empty change emits no event; null removes a field", async () => {
    await create({ last_name: "Kitchen" });
    expect((await change({})).body).toMatchObject({ first_name: "Harbor", last_name: "Kitchen" });
    expect(await eventsOf("contact_card.updated")).toEqual([]);
    expect((await change({ last_name: null })).body).not.toHaveProperty("last_name");
  });

  test("a line that does not take it answers 2022, and the card stays as it was", async () => {
    const before = await create();
    await knobs({ cards_fail: true });
    const answer = await change({ first_name: "Pier", image_url: `${files.url}/ok.png` });
    expect(codeOf(answer)).toEqual([500, 2022]);
    expect(await list()).toEqual([before.body]);
    expect(await prisma().attachment.count({ where: { accountId: account.ref.id } })).toBe(0);
  });

  test("without a card is 2012, without a line 1001, of another's line 2006", async () => {
    expect(codeOf(await change({ first_name: "Pier" }))).toEqual([404, 2012]);
    const none = await callApi("PATCH /v3/contact_card", { token: account.token, body: {} });
    expect(codeOf(none)).toEqual([400, 1001]);
    const theirs = await createTestAccount({ type: "sandbox" });
    expect(codeOf(await change({}, theirs.line))).toEqual([403, 2006]);
  });
});

test("the list is of one line where one is named; a foreign one is 2006", async () => {
  await create();
  expect(await list(`?phone_number=${encodeURIComponent(account.line)}`)).toHaveLength(1);
  const foreign = await callApi("GET /v3/contact_card?phone_number=%2B15550109999", {
    token: account.token,
  });
  expect(codeOf(foreign)).toEqual([403, 2006]);
});

describe("deleting", () => {
  test("removes the card from its line, deletes its image and emits an event; a second time is not found", async () => {
    const { body } = await create({ image_url: `${files.url}/ok.png` });
    await remove();

    expect(await list()).toEqual([]);
    expect(await shown()).toBeNull();
    expect((await fetchFile(body.image_url)).status).toBe(404);
    const [event] = await eventsOf("contact_card.deleted");
    expect(event?.data).toMatchObject({ phone_number: account.line, contact_card: { first_name: "Harbor" } });
    await expect(remove()).rejects.toMatchObject({ errorName: "contact_card_not_found" });
  });

  test("is not done where the line does not let it go", async () => {
    await create();
    await knobs({ cards_fail: true });
    await expect(remove()).rejects.toMatchObject({ errorName: "contact_card_failed" });
    expect(await list()).toHaveLength(1);
  });
});

describe("of two requests at once, the line shows what is stored:", () => {
  afterEach(() => registerTransport(simulator));

  /** Runs `before` and `after` around the first time that the line's card is set. */
  function around({ before, after }: { before?: () => Promise<unknown>; after?: () => Promise<unknown> }) {
    registerTransport({
      ...simulator,
      async setContactCard(...args) {
        registerTransport(simulator);
        await before?.();
        await simulator.setContactCard?.(...args);
        await after?.();
      },
    });
  }

  test("a change of a card that is deleted meanwhile leaves no card", async () => {
    await create();
    around({ before: remove });

    expect(codeOf(await change({ first_name: "Pier" }))).toEqual([404, 2012]);
    expect(await shown()).toBeNull();
  });

  test("a deletion also deletes a card that is set up meanwhile", async () => {
    await knobs({ cards_fail: true });
    await create();
    await knobs({ cards_fail: false });
    around({ before: () => create({ first_name: "Pier" }) });

    await remove();
    expect([await list(), await shown()]).toEqual([[], null]);
    const [event] = await eventsOf("contact_card.deleted");
    expect(event?.data).toMatchObject({ contact_card: { first_name: "Pier" } });
  });

  test("a deletion also deletes what is changed meanwhile, and reports the changed card", async () => {
    await create();
    around({ after: () => change({ first_name: "Pier" }) });

    await remove();
    expect([await list(), await shown()]).toEqual([[], null]);
    const [event] = await eventsOf("contact_card.deleted");
    expect(event?.data).toMatchObject({ contact_card: { first_name: "Pier" } });
  });

  /** Stores another name each of the first `times` that the line's card is set. The line rejects call `rejected`. */
  function race({ times, rejected }: { times: number; rejected?: number }) {
    let calls = 0;
    registerTransport({
      ...simulator,
      async setContactCard(...args) {
        if (++calls === rejected) throw new AdapterError("rejected", "no");
        await simulator.setContactCard?.(...args);
        const data = { firstName: `Pier ${calls}` };
        if (calls <= times)
          await prisma().contactCard.updateMany({ where: { accountId: account.ref.id }, data });
      },
    });
  }

  test("a change that never comes first fails, and the line shows the stored card", async () => {
    await create();
    race({ times: 10 });

    expect(codeOf(await change({ last_name: "Kitchen" }))).toEqual([409, 2015]);
    expect(await list()).toEqual([{ first_name: "Pier 10", phone_number: account.line, is_active: true }]);
    expect(await shown()).toMatchObject({ first_name: "Pier 10", last_name: null });
  });

  test("a change that the line rejects the second time leaves the stored card on it", async () => {
    await create();
    race({ times: 1, rejected: 2 });

    expect(codeOf(await change({ last_name: "Kitchen" }))).toEqual([500, 2022]);
    expect(await shown()).toMatchObject({ first_name: "Pier 1", last_name: null });
  });

  test.each([
    ["that never comes first fails, and the line shows the stored card", { times: 10 }],
    ["that the line rejects the second time leaves the stored card on it", { times: 1, rejected: 2 }],
  ])("a deletion %s", async (_, raced) => {
    await create();
    race(raced);

    await expect(remove()).rejects.toMatchObject({ errorName: "contact_card_failed" });
    const name = { first_name: `Pier ${raced.times}` };
    expect(await list()).toMatchObject([{ ...name, is_active: true }]);
    expect(await shown()).toMatchObject(name);
  });

  test("a card that is set up second is refused, and the first one stays", async () => {
    around({ before: () => create({ first_name: "Pier" }) });

    expect(codeOf(await create())).toEqual([409, 2014]);
    expect(await list()).toMatchObject([{ first_name: "Pier", is_active: true }]);
    expect(await shown()).toMatchObject({ first_name: "Pier" });
  });
});

test("a line that is released leaves no image of its card", async () => {
  const { body } = await create({ image_url: `${files.url}/ok.png` });
  const { id } = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
  await releaseLine(account.context(), { params: { lineId: id }, query: undefined, body: undefined });

  expect((await fetchFile(body.image_url)).status).toBe(404);
  expect(await prisma().attachment.count({ where: { accountId: account.ref.id } })).toBe(0);
});

describe("while the line is released,", () => {
  afterEach(() => registerTransport(simulator));

  async function nothingIsLeft() {
    const where = { accountId: account.ref.id };
    expect([await prisma().contactCard.count({ where }), await prisma().attachment.count({ where })]).toEqual(
      [0, 0],
    );
    expect(await shown()).toBeFalsy();
    expect(await eventsOf("contact_card.created")).toEqual([]);
  }

  test("a card waits, and then finds no line", async () => {
    const { id } = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
    const { creating } = await transaction(async (tx) => {
      await release(tx, account.context(), id);
      const creating = create({ image_url: `${files.url}/ok.png` });
      await untilLocked();
      return { creating };
    });

    expect(codeOf(await creating)).toEqual([403, 2006]);
    await nothingIsLeft();
  });

  test("a card that is being set on the line fails, and is removed from the line", async () => {
    const { id } = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
    registerTransport({
      ...simulator,
      async setContactCard(...args) {
        registerTransport(simulator);
        await transaction((tx) => release(tx, account.context(), id));
        await simulator.setContactCard?.(...args);
      },
    });

    expect(codeOf(await create())).toEqual([500, 2022]);
    await nothingIsLeft();
  });
});

test("a card that replaces one with an image that was just stored deletes that image", async () => {
  await knobs({ cards_fail: true });
  await create({ image_url: `${files.url}/ok.png` });
  const { creating } = await transaction(async (tx) => {
    const values = [account.ref.id, newId(1)];
    await tx.runText({
      text: `insert into attachments select (jsonb_populate_record(t, jsonb_build_object('id', $2::text))).*
             from attachments t where account_id = $1`,
      values,
    });
    await tx.runText({
      text: "update contact_cards set attachment_id = $2 where account_id = $1",
      values,
    });
    await tx.runText({ text: "delete from attachments where account_id = $1 and id <> $2", values });
    const creating = create({ image_url: `${files.url}/other.jpg` });
    await untilLocked();
    return { creating };
  });

  expect(codeOf(await creating)).toEqual([500, 2022]);
  const images = await prisma().attachment.findMany({ where: { accountId: account.ref.id } });
  expect(images.map(({ filename }) => filename)).toEqual(["other.jpg"]);
});

test("a flagged line takes no card and no change", async () => {
  await create();
  const { id } = await prisma().line.findFirstOrThrow({ where: { accountId: account.ref.id } });
  await setLineStatus(account.context(), id, "FLAGGED");
  expect(codeOf(await create())).toEqual([403, 2027]);
  expect(codeOf(await change({ first_name: "Pier" }))).toEqual([403, 2027]);
});
