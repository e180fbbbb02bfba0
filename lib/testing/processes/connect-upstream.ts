import { setLineConnection } from "@/lib/lines/connections/line-connection";
import { sql } from "@/lib/platform/database/db";
import { createTestAccount, type TestAccount } from "@/lib/testing/create-test-account";
import type { Peer } from "@/lib/testing/processes/start-peer";
import { until } from "@/lib/testing/until";
import { createSimulator, type Simulator } from "@/lib/testkit/testing";

/** An account whose line is connected to a line of a peer, with the peer's phones. */
export interface UpstreamTest {
  account: TestAccount;
  lineId: string;
  /** The sandbox account of the peer: its phones, and its API. */
  sim: Simulator;
  /** The stored state of the line. */
  state(): Promise<LineState>;
}

interface LineState {
  is_up: boolean;
  down_reason: string | null;
  status: string;
  upstream_lines: string[] | null;
  connection: Buffer;
}

/** Connects a new line to a new line of a peer. `baseUrl` replaces the peer's, for a proxy between them. */
export async function connectUpstream(peer: Peer, baseUrl = peer.url): Promise<UpstreamTest> {
  const sim = await createSimulator({ url: peer.url, token: peer.token, webhooks: false, timeoutMs: 30_000 });
  await sim.limits.set({ daily_messages: null, pair_messages: null });
  const account = await createTestAccount({ type: "production" });
  const [line] = await sql.runText<{ id: string }>({
    text: "update lines set transport = 'upstream' where account_id = $1 returning id",
    values: [account.ref.id],
  });
  const lineId = line?.id ?? "";
  await setLineConnection(
    { accountId: account.ref.id, id: lineId },
    { base_url: baseUrl, api_token: sim.token, phone_number: sim.line },
  );
  return { account, lineId, sim, state: () => readState(lineId) };
}

/** Resolves once the line was checked and can send. */
export async function untilChecked({ state }: UpstreamTest): Promise<void> {
  await until(async () => {
    const { is_up, upstream_lines } = await state();
    return is_up && upstream_lines !== null;
  });
}

async function readState(lineId: string): Promise<LineState> {
  const [line] = await sql.runText<LineState>({
    text: "select is_up, down_reason, status::text as status, upstream_lines, connection from lines where id = $1",
    values: [lineId],
  });
  if (line === undefined) throw new Error("the line is gone");
  return line;
}
