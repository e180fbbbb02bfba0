import { beforeEach, expect, test, vi } from "vitest";
import { EMPTY_DRAFT } from "@/components/composer/draft";
import { UNDO_MS } from "@/components/composer/undo-send";

/** The texts that were sent, and how each request ends. */
let sent: string[];
let answers: (() => void)[];
let storage: Record<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  sent = [];
  answers = [];
  storage = {};
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(storage, { [key]: value }),
    removeItem: (key: string) => delete storage[key],
  };
  vi.stubGlobal("localStorage", new Proxy(storage, { get: (_, name) => Reflect.get(methods, name) }));
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("fetch", (_path: string, { body, keepalive }: RequestInit) => {
    const text: string = JSON.parse(String(body)).message.parts[0].value;
    sent.push(keepalive ? `${text} (keepalive)` : text);
    return new Promise((resolve) => {
      answers.push(() => resolve(Response.json({ message: { id: text } })));
    });
  });
});

const load = () => import("@/components/composer/outbox");
type Outbox = Awaited<ReturnType<typeof load>>;

function write(outbox: Outbox, chatId: string, text: string, holdMs: number): void {
  const draft = { ...EMPTY_DRAFT, text };
  outbox.addUnsent({ key: text, sender: "me", chatId, draft, override: null, tries: 0 }, holdMs);
}

/** Answers one request and lets what waits for it go on. */
async function answer(): Promise<void> {
  answers.shift()?.();
  await vi.advanceTimersByTimeAsync(0);
}

test("a message waits for the held ones of its chat only, and each hold ends by itself", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", UNDO_MS);
  write(outbox, "a", "a2", 0);
  write(outbox, "b", "b1", 0);

  void outbox.releaseHeld("me", "over");
  expect(sent).toEqual(["b1"]);
  await answer();
  expect(sent).toEqual(["b1"]);
  expect(outbox.nextReleaseMs("me")).toBe(UNDO_MS);

  vi.setSystemTime(Date.now() + UNDO_MS);
  void outbox.releaseHeld("me", "over");
  await answer();
  await answer();
  expect(sent).toEqual(["b1", "a1", "a2"]);
  expect(outbox.takeBack("a1")).toBe(false);
});

test("a message that was taken back is never sent, and a clock that was set back holds none longer", async () => {
  const outbox = await load();
  write(outbox, "a", "taken", UNDO_MS);
  write(outbox, "a", "kept", UNDO_MS);
  expect(outbox.takeBack("taken")).toBe(true);

  vi.setSystemTime(Date.now() - 3_600_000);
  expect(outbox.nextReleaseMs("me")).toBe(0);
  void outbox.releaseHeld("me", "over");
  expect(sent).toEqual(["kept"]);
});

/** A new page of the same browser. */
async function nextPage(): Promise<Outbox> {
  vi.resetModules();
  return load();
}

const statesOf = (outbox: Outbox) => outbox.listUnsent().map(({ key, state }) => [key, state]);
const refuse = (text: string) => {
  const failure = { error: { code: 2024, message: text } };
  vi.stubGlobal("fetch", async () => Response.json(failure, { status: 403 }));
};

test("a page that is closed sends all that waits at once, and the next one sends it again with its key", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", UNDO_MS);
  write(outbox, "b", "b1", UNDO_MS);
  write(outbox, "a", "a2", UNDO_MS);
  const large = "x".repeat(30_000);
  write(outbox, "c", large, UNDO_MS);

  outbox.sendBeforeLeaving("me", true);
  expect(sent).toEqual(["a1 (keepalive)", "b1 (keepalive)", "a2 (keepalive)", large]);

  const next = await nextPage();
  expect(statesOf(next)).toEqual(["a1", "b1", "a2", large].map((key) => [key, "waiting"]));
  // The browser shows the closed page again: another one has its messages.
  outbox.takeOverLeft();
  expect(outbox.listUnsent()).toEqual([]);
  void next.deliverUnsent("me");
  // The requests of the closed page are answered first, and nobody listens.
  for (let count = 0; count < 8; count++) await answer();
  expect(sent.slice(4)).toEqual(["a1", "b1", "a2", large]);
  expect(next.unaccepted("me")).toEqual([]);
  expect(storage).toEqual({});
});

test("a page has its messages for itself: a duplicated tab shows none, until the page has ended", async () => {
  const outbox = await load();
  write(outbox, "a", "held", UNDO_MS);
  const other = await nextPage();
  expect(other.listUnsent()).toEqual([]);

  await vi.advanceTimersByTimeAsync(140_000);
  outbox.takeOverLeft();
  await vi.advanceTimersByTimeAsync(140_000);
  other.takeOverLeft();
  expect(other.listUnsent()).toEqual([]);
  expect(outbox.takeBack("held")).toBe(true);

  write(outbox, "a", "of a page that was killed", UNDO_MS);
  await vi.advanceTimersByTimeAsync(151_000);
  other.takeOverLeft();
  expect(statesOf(other)).toEqual([["of a page that was killed", "waiting"]]);
  outbox.dropTaken();
  expect(outbox.listUnsent()).toEqual([]);
  other.clearUnsent();
  expect(storage).toEqual({});
});

test("what a later page finds after ten minutes is shown instead of being sent, and is forgotten after a week", async () => {
  const outbox = await load();
  write(outbox, "a", "never tried", UNDO_MS);
  write(outbox, "b", "tried", 0);
  void outbox.deliverUnsent("me");
  const left = Object.entries(storage);
  await vi.advanceTimersByTimeAsync(601_000);

  const next = await nextPage();
  expect(next.listUnsent()).toMatchObject([
    {
      key: "never tried",
      state: "refused",
      isUncertain: false,
      refusal: { message: expect.stringContaining("was not sent") },
    },
    {
      key: "tried",
      state: "refused",
      isUncertain: true,
      refusal: { message: expect.stringContaining("not known") },
    },
  ]);
  await next.deliverUnsent("me");
  expect(sent).toEqual(["tried"]);

  Object.assign(storage, Object.fromEntries(left));
  await vi.advanceTimersByTimeAsync(7 * 86_400_000);
  expect((await nextPage()).listUnsent()).toEqual([]);
  expect(storage).toEqual({});
});

test("the release of a chat says whether something of it was left", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", UNDO_MS);
  write(outbox, "b", "b1", UNDO_MS);
  const released = outbox.releaseChat("me", "a");
  await answer();
  expect(await released).toBe(true);
  expect(sent).toEqual(["a1"]);

  refuse("opted out");
  expect(await outbox.releaseChat("me", "b")).toBe(false);
  await expect(outbox.requireNoneLeft("me", "b")).rejects.toThrow("was not sent yet");
  expect(outbox.unaccepted("me").map(({ key }) => key)).toEqual(["b1"]);
});

test("the user is asked before the session ends with a message that was not accepted", async () => {
  const outbox = await load();
  const { askToLeave } = await import("@/components/composer/ask-to-leave");
  const ask = vi.fn(() => false);
  vi.stubGlobal("window", { confirm: ask });
  write(outbox, "a", "a1", UNDO_MS);
  const leaving = askToLeave("me", "Sign out");
  await answer();
  expect(await leaving).toBe(true);
  expect(ask).not.toHaveBeenCalled();

  refuse("opted out");
  write(outbox, "b", "b1", UNDO_MS);
  expect(await askToLeave("me", "Sign out")).toBe(false);
  expect(ask).toHaveBeenCalledWith("1 message was not sent. Sign out anyway?");
});

test("nothing is held when the user has turned it off, or without a connection", async () => {
  const outbox = await load();
  expect(outbox.currentHoldMs()).toBe(UNDO_MS);
  storage["trunkline:undo-send"] = "off";
  expect(outbox.currentHoldMs()).toBe(0);
  delete storage["trunkline:undo-send"];
  vi.stubGlobal("navigator", { onLine: false });
  expect(outbox.currentHoldMs()).toBe(0);
});
