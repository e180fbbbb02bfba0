import "server-only";
import { z } from "zod";
import { sink } from "@/lib/adapters/transports/sink";
import { findOwnLine } from "@/lib/lines/lines/find-line";
import { setLineStatus } from "@/lib/lines/lines/set-line-status";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { prisma } from "@/lib/platform/database/db";
import type { Line } from "@/lib/platform/prisma/client";
import { LineStatus } from "@/lib/platform/prisma/enums";
import { PhoneNumber } from "@/lib/platform/text/phone-handle";
import { PathHandle } from "@/lib/simulator/phone";
import { requireSandbox } from "@/lib/simulator/require-sandbox";

const LineState = z
  .object({
    is_up: z
      .boolean()
      .describe(
        "`true` if the line is connected. While the line is down, sends stay `queued` and the line receives nothing.",
      ),
    status: z
      .enum(LineStatus)
      .describe("`ACTIVE` or `FLAGGED`. On a flagged line, every write fails with 2027."),
    has_rcs_account: z
      .boolean()
      .describe(
        "`true` if the line has an RCS account. Without one, operations that require RCS fail with 4009.",
      ),
    checks_fail: z.boolean().describe("`true` makes capability checks on the line fail with 4010."),
    cards_fail: z.boolean().describe("`true` makes contact card writes on the line fail with 2022."),
    groups_wait: z
      .boolean()
      .describe("`true` keeps new groups in creation: operations on them fail with 2009."),
    changes_fail: z
      .boolean()
      .describe(
        "`true` makes changes to a chat (name, icon, participants, background, shared card) fail with 4001.",
      ),
  })
  .meta({
    examples: [
      {
        is_up: true,
        status: "ACTIVE",
        has_rcs_account: true,
        checks_fail: false,
        cards_fail: false,
        groups_wait: false,
        changes_fail: false,
      },
    ],
  });

export const ChangeLine = contract({
  summary: "Set a simulated line's state: up, down, flagged or failing",
  description:
    "Takes a simulated line down or up, flags it, or makes its operations fail. Omitted fields keep their values.",
  tag: "Simulator",
  right: "manage_lines",
  sandboxOnly: true,
  params: z.object({
    phoneNumber: PathHandle.pipe(PhoneNumber).meta({
      description: "Your line, in E.164 format. A `+` may be literal or `%2B`.",
      examples: ["+12025550100"],
    }),
  }),
  body: LineState.partial()
    .refine(
      (change) => Object.values(change).some((value) => value !== undefined),
      `set at least one of ${Object.keys(LineState.shape).join(", ")}`,
    )
    .meta({ examples: [{ is_up: false }] }),
  returns: LineState.extend({
    phone_number: z.string().describe("Number of the line in E.164 format."),
  }).meta({
    examples: [
      {
        is_up: false,
        status: "ACTIVE",
        has_rcs_account: true,
        checks_fail: false,
        cards_fail: false,
        groups_wait: false,
        changes_fail: false,
        phone_number: "+12025550100",
      },
    ],
  }),
  status: 200,
  errors: ["parameter_invalid", "phone_not_e164", "line_not_permitted", "feature_not_available"],
  extension: true,
});

/** Changes the given settings and keeps the others. Errors: line_not_permitted, feature_not_available. */
export async function changeLine(ctx: Context, { params, body }: Input<typeof ChangeLine>) {
  requireSandbox(ctx);
  const line = await findOwnLine(ctx, params.phoneNumber);
  const { is_up = line.isUp, status = line.status, ...knobs } = body;

  if (is_up !== line.isUp) await sink().receive(line, [{ type: "line", up: is_up }]);
  if (status === "FLAGGED") await sink().receive(line, [{ type: "line_flag", isFlagged: true }]);
  // Also clears a flag that an operator set.
  else await setLineStatus(ctx, line.id, status);
  const set = await setKnobs(line, knobs);

  return { phone_number: line.phoneNumber, is_up, status, ...set };
}

type Knobs = Pick<
  Input<typeof ChangeLine>["body"],
  "has_rcs_account" | "checks_fail" | "cards_fail" | "groups_wait" | "changes_fail"
>;

async function setKnobs({ accountId, id: lineId }: Line, knobs: Knobs) {
  const given = {
    hasRcsAccount: knobs.has_rcs_account,
    checksFail: knobs.checks_fail,
    cardsFail: knobs.cards_fail,
    groupsWait: knobs.groups_wait,
    changesFail: knobs.changes_fail,
  };
  const row = await prisma().simulatorLine.upsert({
    where: { accountId_lineId: { accountId, lineId } },
    create: { accountId, lineId, ...given },
    update: given,
  });
  return {
    has_rcs_account: row.hasRcsAccount,
    checks_fail: row.checksFail,
    cards_fail: row.cardsFail,
    groups_wait: row.groupsWait,
    changes_fail: row.changesFail,
  };
}
