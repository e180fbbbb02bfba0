import { beforeEach, expect, test, vi } from "vitest";
import { EMPTY_DRAFT } from "@/components/composer/draft";
import { UNDO_MS } from "@/components/composer/undo-send";

/** The texts that were sent, and how each request ends. */
let sent: string[];
let answers: (() => void)[];
let storage: Map<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  sent = [];
  answers = [];
  storage = new Map();
  const store = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, value: string) => void storage.set(key, value),
    removeItem: (key: string) => void storage.delete(key),
  };
  vi.stubGlobal("sessionStorage", store);
  vi.stubGlobal("localStorage", store);
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

test("a page that is closed sends all that waits at once, and asks first when this could lose or reorder one", async () => {
  const outbox = await load();
  write(outbox, "a", "a1", UNDO_MS);
  write(outbox, "b", "b1", UNDO_MS);
  expect(outbox.canLeave()).toBe(true);
  write(outbox, "a", "a2", UNDO_MS);
  expect(outbox.canLeave()).toBe(false);
  write(outbox, "c", "x".repeat(30_000), UNDO_MS);

  outbox.sendBeforeLeaving("me", true);
  const large = "x".repeat(30_000);
  expect(sent).toEqual(["a1 (keepalive)", "b1 (keepalive)", "a2 (keepalive)", large]);
  // What the page does not learn any more is sent again, with its key, by the next one.
  expect(
    JSON.parse(storage.get("trunkline:unsent") ?? "").map(({ state }: { state: string }) => state),
  ).toEqual(Array(4).fill("sending"));
  vi.resetModules();
  expect((await load()).listUnsent().map(({ state }) => state)).toEqual(Array(4).fill("waiting"));
});

test("nothing is held when the user has turned it off, or without a connection", async () => {
  const outbox = await load();
  expect(outbox.currentHoldMs()).toBe(UNDO_MS);
  storage.set("trunkline:undo-send", "off");
  expect(outbox.currentHoldMs()).toBe(0);
  storage.clear();
  vi.stubGlobal("navigator", { onLine: false });
  expect(outbox.currentHoldMs()).toBe(0);
});
