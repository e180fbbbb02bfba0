import { reasonWithout } from "@/scripts/cli/conform/areas/operation-step";
import { limitProblems } from "@/scripts/cli/conform/examine-response";
import type { Run } from "@/scripts/cli/conform/run";

const NAME = "two capability checks";
const OP = "POST /v3/capability/check_imessage";

/** The area `limits`: the second capability check within 10 seconds. Other limits are checked when the run meets them. */
export async function runLimits(run: Run): Promise<void> {
  const reason = reasonWithout(["recipient"], run.world);
  if (reason !== null) return run.checks.skip("limits", NAME, reason);
  const call = { body: { address: run.world.recipient }, isLimitExpected: true };
  const first = await run.call(OP, call);
  const response = first.status === 429 ? first : await run.call(OP, call);
  const subject = { area: "limits", name: NAME, section: "3.3", request: response.request } as const;
  const expected = "429/1007 with retry_after, and the same Retry-After";
  const isLimited = response.status === 429;
  run.add(
    { ...subject, expected },
    isLimited ? { problems: limitProblems(response) } : { skip: "the account has no such limit" },
  );
}
