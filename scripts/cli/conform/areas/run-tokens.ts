import type { Run } from "@/scripts/cli/conform/run";

const WRONG = "tl_conform_no_such_token";
const CASES = [
  ["without a token", null],
  ["with a wrong token", WRONG],
] as const;

/** The area `tokens`: every operation without a token and with a wrong one is 401/2004. */
export async function runTokens(run: Run): Promise<void> {
  for (const operation of run.operations.values()) {
    // A server that does not check the token must not change anything, either.
    const path = Object.fromEntries(operation.parameters.map(({ name }) => [name, run.world.unknownId]));
    for (const [name, token] of CASES) {
      const response = await run.call(operation.name, {
        ...{ token, path },
        ...(operation.body !== null && { body: {} }),
      });
      const expected = "401/2004 with WWW-Authenticate: Bearer";
      run.add(
        {
          ...{ area: "tokens", name: `${operation.name} ${name}`, section: "2.1", expected },
          request: response.request,
        },
        run.examine(operation.name, response, { status: 401, codes: [2004] }),
      );
    }
  }
}
