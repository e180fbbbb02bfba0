import { newId, newTraceId } from "@/lib/platform/ids";
import { now } from "@/lib/platform/time/clock";
import { type RecordedRequest, writeRequests } from "@/lib/request-log/store/write-requests";
import type { TestAccount } from "@/lib/testing/create-test-account";

const TOKEN_ID = "01a00000-0000-7000-8000-00000000aaaa";

/** Logs requests of an account in order, at the current time. Returns their ids. */
export async function logTestRequests(
  account: TestAccount,
  count: number,
  more: (index: number) => Partial<RecordedRequest> = () => ({}),
): Promise<string[]> {
  const requests = createLogEntries(account, count, more);
  for (let from = 0; from < count; from += 200) await writeRequests(requests.slice(from, from + 200));
  return requests.map(({ id }) => id);
}

/** Creates entries of the request log without writing them. */
export function createLogEntries(
  account: TestAccount,
  count: number,
  more: (index: number) => Partial<RecordedRequest> = () => ({}),
): RecordedRequest[] {
  return Array.from({ length: count }, (_, index) => testRequest(account, more(index)));
}

function testRequest(account: TestAccount, more: Partial<RecordedRequest>): RecordedRequest {
  const at = now();
  return {
    accountId: account.ref.id,
    id: newId(at.getTime()),
    tokenId: TOKEN_ID,
    method: "GET",
    path: "/v3/chats",
    params: {},
    status: 200,
    errorCode: null,
    latencyMs: 2,
    named: { chatId: null, messageIds: [], line: null },
    traceId: newTraceId(),
    userAgent: null,
    address: null,
    headers: { request: {}, answer: {} },
    requestBody: "",
    answerBody: "{}",
    requestBytes: 0,
    answerBytes: 2,
    at,
    ...more,
  };
}
