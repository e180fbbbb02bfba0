import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { loadTurn } from "@/components/chats/timeline/load-turn";

beforeEach(() => {
  vi.useFakeTimers();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test("the turns of several subscriptions share a request, those of another chat have their own", async () => {
  const asked: string[] = [];
  vi.stubGlobal("fetch", async (url: string) => {
    asked.push(url);
    const ids = new URL(url, "http://localhost").searchParams.get("ids") ?? "";
    return Response.json({ turns: ids.split(",").map((id) => ({ id })) });
  });
  const one = loadTurn("chat-1", "a");
  await vi.advanceTimersByTimeAsync(60);
  const more = [loadTurn("chat-1", "b"), loadTurn("chat-2", "c")];
  await vi.advanceTimersByTimeAsync(100);
  expect(await Promise.all([one, ...more])).toEqual([{ id: "a" }, { id: "b" }, { id: "c" }]);
  expect(asked).toEqual(["/api/chats/chat-1/turns?ids=a,b", "/api/chats/chat-2/turns?ids=c"]);
});

test("a turn that can't be read, or that the log no longer has, is left out", async () => {
  vi.stubGlobal("fetch", async () => Response.json({ error: {} }, { status: 500 }));
  const failed = loadTurn("chat-1", "a");
  await vi.advanceTimersByTimeAsync(100);
  expect(await failed).toBeNull();

  vi.stubGlobal("fetch", async () => Response.json({ turns: [] }));
  const gone = loadTurn("chat-1", "a");
  await vi.advanceTimersByTimeAsync(100);
  expect(await gone).toBeNull();
});
