import { beforeEach, expect, test, vi } from "vitest";
import { EMPTY_DRAFT } from "@/components/composer/draft";
import { scheduleDraft } from "@/components/composer/later/schedule-draft";
import { attemptKey, beginAttempt, endAttempt } from "@/components/composer/schedule-attempt";
import { ApiFailure } from "@/lib/client/api-fetch";

const draft = { ...EMPTY_DRAFT, text: "hi" };
const HOUR_MS = 3_600_000;
const at = (hours: number) => new Date(Date.UTC(2030, 0, 1) + hours * HOUR_MS);
const schedule = (hours: number) => scheduleDraft({ sender: "me", chatId: "a", draft, at: at(hours) });

let tab: Record<string, string>;
/** The requests, and the server's answers; null for one that is lost. */
let requests: { method: string; path: string; body: ReturnType<typeof JSON.parse> }[];
let answers: (Response | null)[];

beforeEach(() => {
  tab = {};
  requests = [];
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("sessionStorage", {
    getItem: (name: string) => tab[name] ?? null,
    setItem: (name: string, value: string) => Object.assign(tab, { [name]: value }),
    removeItem: (name: string) => delete tab[name],
  });
  vi.stubGlobal("fetch", async (path: string, { method = "", body }: RequestInit) => {
    requests.push({ method, path, body: JSON.parse(String(body)) });
    return answers.shift() ?? Promise.reject(new TypeError("lost"));
  });
});

const scheduledFor = (hours: number) =>
  Response.json({ message: { id: "1", send_at: at(hours).toISOString() } });

test("an attempt after a lost answer has the same key, and moves what was scheduled to its own time", async () => {
  answers = [null, scheduledFor(1), Response.json({}), scheduledFor(3)];
  await expect(schedule(1)).rejects.toThrow(ApiFailure);
  expect(await schedule(2)).toBe(true);
  const [lost, again, moved] = requests;
  expect(again?.body.message).toEqual(lost?.body.message);
  expect(moved).toEqual({
    method: "PATCH",
    path: "/api/scheduled-messages/1",
    body: { send_at: at(2).toISOString() },
  });

  // Its outcome is known: the same text is another message now.
  expect(await schedule(3)).toBe(true);
  expect(requests).toHaveLength(4);
  expect(requests[3]?.body.message.idempotency_key).not.toBe(lost?.body.message.idempotency_key);
});

test("what was sent meanwhile is not moved, and a canceled message leaves its key", async () => {
  const canceled = Response.json({ error: { code: 2002, message: "Not found" } }, { status: 404 });
  answers = [null, Response.json({ message: { id: "1" } }), null, canceled];
  await expect(schedule(1)).rejects.toThrow(ApiFailure);
  expect(await schedule(2)).toBe(false);
  expect(requests.map(({ method }) => method)).toEqual(["POST", "POST"]);

  await expect(schedule(1)).rejects.toThrow(ApiFailure);
  expect(attemptKey("a", draft)).not.toBe(null);
  await expect(schedule(1)).rejects.toMatchObject({ code: 2002 });
  expect(attemptKey("a", draft)).toBe(null);
});

test("a send of the same draft has the attempt's key, once; other text and other chats have their own", async () => {
  const key = beginAttempt("a", draft);
  expect(beginAttempt("a", { ...draft })).toBe(key);
  expect(attemptKey("a", { ...draft, text: "ho" })).toBe(null);
  expect(attemptKey("b", draft)).toBe(null);
  endAttempt("a");
  const other = beginAttempt("a", draft);
  expect(other).not.toBe(key);

  // A page of its own: other tests have messages, too.
  vi.resetModules();
  const { sendOrKeep } = await import("@/components/composer/send-or-keep");
  const { listUnsent } = await import("@/components/composer/page-messages");
  const written = { sender: "me", chatId: "a", draft, override: null };
  await sendOrKeep(written, () => {});
  await sendOrKeep(written, () => {});
  const [first, second] = listUnsent();
  expect(first?.key).toBe(other);
  expect(second?.key).not.toBe(other);
});
