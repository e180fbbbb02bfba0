import { beforeEach, expect, test, vi } from "vitest";
import { EMPTY_DRAFT } from "@/components/composer/draft";
import { UNDO_MS } from "@/components/composer/undo-send";

const { shown, dismissed } = vi.hoisted(() => ({ shown: vi.fn(), dismissed: vi.fn() }));
vi.mock("sonner", () => ({ toast: { error: shown, dismiss: dismissed }, Toaster: () => null }));

let sent: string[];
let unload: (event: { preventDefault: () => void }) => void;
let storage: Record<string, string>;

beforeEach(() => {
  vi.useFakeTimers();
  vi.resetModules();
  shown.mockClear();
  dismissed.mockClear();
  sent = [];
  storage = {};
  const methods = {
    getItem: (key: string) => storage[key] ?? null,
    setItem: (key: string, value: string) => Object.assign(storage, { [key]: value }),
    removeItem: (key: string) => delete storage[key],
  };
  vi.stubGlobal("localStorage", new Proxy(storage, { get: (_, name) => Reflect.get(methods, name) }));
  vi.stubGlobal("navigator", { onLine: true });
  vi.stubGlobal("document", { addEventListener: () => {} });
  vi.stubGlobal("location", { pathname: "/docs" });
  vi.stubGlobal("window", {
    addEventListener: (name: string, listener: typeof unload) => {
      if (name === "beforeunload") unload = listener;
    },
  });
  vi.stubGlobal("fetch", async (path: string) => {
    sent.push(path);
    if (path.includes("refused")) return Response.json({ error: { message: "Opted out" } }, { status: 403 });
    return Response.json({ message: { id: "1" } });
  });
});

const asks = () => {
  const preventDefault = vi.fn();
  unload({ preventDefault });
  return preventDefault.mock.calls.length > 0;
};

test("a held message is sent after its time wherever its writer is, and a refusal is reported there, with a link, until it is retried", async () => {
  const { startDelivery } = await import("@/components/composer/start-delivery");
  const { addUnsent, retryUnsent } = await import("@/components/composer/outbox");
  const open = vi.fn();
  startDelivery("me", open);
  expect(asks()).toBe(false);
  const message = { sender: "me", draft: { ...EMPTY_DRAFT, text: "hi" }, override: null };
  addUnsent({ ...message, key: "1", chatId: "accepted" }, UNDO_MS);
  addUnsent({ ...message, key: "2", chatId: "refused" }, UNDO_MS);
  expect(asks()).toBe(true);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  await vi.dynamicImportSettled();

  expect(sent).toEqual(["/api/chats/accepted/messages", "/api/chats/refused/messages"]);
  expect(shown).toHaveBeenCalledOnce();
  const [title, { id, description, action, duration }] = shown.mock.calls[0] ?? [];
  expect([title.props.children, description, duration]).toEqual([
    "Not sent: “hi”",
    "Opted out",
    Number.POSITIVE_INFINITY,
  ]);
  action.onClick();
  expect(open).toHaveBeenCalledWith("/chats/refused");
  // It is stored: the next page shows it.
  expect(asks()).toBe(false);

  vi.stubGlobal("location", { pathname: "/chats/refused" });
  addUnsent({ ...message, key: "3", chatId: "refused" }, UNDO_MS);
  await vi.advanceTimersByTimeAsync(UNDO_MS);
  await vi.dynamicImportSettled();
  expect(shown).toHaveBeenCalledOnce();
  expect(dismissed).not.toHaveBeenCalled();
  retryUnsent("2");
  await vi.dynamicImportSettled();
  expect(dismissed.mock.calls).toEqual([[id]]);
});

test("after a 401, nothing is sent nor asked until the page is loaded again; another sender takes nothing over", async () => {
  const { startDelivery } = await import("@/components/composer/start-delivery");
  const { addUnsent } = await import("@/components/composer/outbox");
  const { listUnsent } = await import("@/components/composer/page-messages");
  const go = vi.fn();
  vi.stubGlobal("location", { pathname: "/docs", search: "", assign: go });
  const end = vi.fn(async () => Response.json({ error: { message: "Sign in" } }, { status: 401 }));
  vi.stubGlobal("fetch", end);
  startDelivery("me", vi.fn());
  const draft = { ...EMPTY_DRAFT, text: "hi" };
  addUnsent({ sender: "me", draft, override: null, key: "1", chatId: "a" });
  expect(asks()).toBe(true);
  await vi.advanceTimersByTimeAsync(30_000);
  expect(end).toHaveBeenCalledOnce();
  expect(go).toHaveBeenCalledOnce();
  expect(listUnsent()).toMatchObject([{ key: "1", state: "waiting" }]);
  expect(asks()).toBe(false);

  startDelivery(null, vi.fn());
  expect(listUnsent()).toEqual([]);
  startDelivery("me", vi.fn());
  expect(listUnsent()).toMatchObject([{ key: "1", state: "waiting" }]);
});
