import "@/lib/testing/use-test-database";

import { afterAll, beforeAll, expect, test } from "vitest";
import * as DOCUMENT from "@/app/api/customers/[handle]/consent/document/route";
import * as CONSENT from "@/app/api/customers/[handle]/consent/route";
import type { ConsentEvidence } from "@/lib/privacy/consent/consent-evidence";
import { blockHandle } from "@/lib/recipients/blocks/block-handle";
import { changeOptOut } from "@/lib/recipients/opt-outs/change-opt-out";
import { startWorker, type Worker } from "@/lib/runtime/worker/start-worker";
import { callApi } from "@/lib/testing/call-api";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import { createTestPhone, writeAs } from "@/lib/testing/factories";
import { type DashboardUser, signInAs } from "@/lib/testing/sign-in/sign-in-as";

let account: TestAccount;
let worker: Worker;
let viewer: DashboardUser;
let person: string;

beforeAll(async () => {
  worker = await startWorker();
  account = await createTestAccount({ type: "sandbox" });
  viewer = await signInAs(account, "viewer");
  person = await createTestPhone(account);
  const write = (text: string) => writeAs(account, person, { to: account.line, text });
  const { chatId } = await write("hello <b>there</b>");
  await write("please stop texting me");
  await write("STOP");
  await callApi(`POST /v3/chats/${chatId}/messages`, {
    token: account.token,
    body: { message: { parts: [{ type: "text", value: "one more" }] }, override_optout: true },
  });
  await write("I am back");
  const body = { handle: person, opted_out: true, note: "asked on the <phone>" };
  await changeOptOut(account.context(), { body });
  await blockHandle(account.context(), { body: { handle: person, reason: "threats" } });
  const stranger = await createTestPhone(account);
  await writeAs(account, stranger, { to: account.line, text: "STOP" });
});

afterAll(() => worker.stop());

test("the evidence of a handle has its words, overrides, near misses and decisions, newest first", async () => {
  const { status, body } = await viewer.call(CONSENT.GET, { params: { handle: person } });
  const evidence: ConsentEvidence = body;
  expect(status).toBe(200);
  expect(evidence).toMatchObject({ handle: person, account: { id: account.ref.id }, is_truncated: false });
  expect(evidence.opted_out_at).not.toBeNull();
  expect(evidence.blocked_at).not.toBeNull();
  expect(evidence.contacts).toMatchObject([{ line: account.line }]);
  expect(evidence.opt_outs).toMatchObject([
    { cause: "person", ended_at: null },
    { cause: "keyword", keyword: "STOP", words: "STOP", end_cause: "message", overrides: [{ reason: null }] },
  ]);
  expect(evidence.near_misses).toMatchObject([{ words: "please stop texting me", decision: null }]);
  expect(evidence.decisions).toMatchObject([
    { action: "handle.blocked", note: "threats" },
    { action: "opt_out.set", note: "asked on the <phone>" },
  ]);
});

test("the document shows the same and escapes what people wrote", async () => {
  const { status, headers, body } = await viewer.call(DOCUMENT.GET, { params: { handle: person } });
  expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
  for (const text of [
    person,
    "please stop texting me",
    "Keyword STOP",
    "asked on the &lt;phone&gt;",
    "threats",
  ]) {
    expect(body).toContain(text);
  }
  expect(body).not.toContain("<phone>");
});

test("a handle without any evidence has a document that says so", async () => {
  const { body } = await viewer.call(DOCUMENT.GET, { params: { handle: "unknown@example.com" } });
  expect(body).toContain("The person never opted out.");
  expect(body).toContain("Not opted out");
});
