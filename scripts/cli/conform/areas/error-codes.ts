import type { Run } from "@/scripts/cli/conform/run";

/** A check that provokes a code, or why none does. */
type Provocation = { check: string } | { because: string };

const by = (check: string): Provocation => ({ check });
const because = (reason: string): Provocation => ({ because: reason });

const FAILURE = because("only a failure inside of the implementation has this code");
const OF_A_MESSAGE = because(
  "only a message that fails later has this code, and simulated phones receive all",
);
const NO_IMESSAGE = because("needs a person without iMessage");
const NO_RCS = because("needs a line or an account without RCS");

/** Every error code of the API. A test fails for a code that is missing, and for a check that does not provoke its code. */
export const ERROR_CODES: Readonly<Record<number, Provocation>> = {
  1001: by("inputs/POST /v3/attachments: without filename"),
  1002: by("inputs/a send: a line that is no number"),
  1003: by("inputs/GET /v3/no_such_path"),
  1004: by("inputs/a send: an empty text"),
  1005: by("inputs/GET /v3/chats: limit=0"),
  1006: by("operations/PUT /v3/chats/{chatId}"),
  1007: by("limits/two capability checks"),
  1008: by("inputs/a send: a card without a name"),
  1009: by("inputs/a send: an unknown app clip"),
  2001: by("inputs/GET /v3/chats/{chatId}: an unknown chatId"),
  2002: by("sends/a deleted message"),
  2003: by("inputs/a send: an unknown attachment"),
  2004: by("tokens/GET /v3/chats without a token"),
  2005: because("needs a token with scopes, or something of another account"),
  2006: by("inputs/a send: an unknown line"),
  2007: by("inputs/a send: an attachment without bytes"),
  2008: by("phones/a send to a person who never wrote"),
  2009: because("needs two requests at the same moment"),
  2010: by("webhooks/a deleted subscription"),
  2011: because("needs an account for which a feature is off"),
  2012: by("operations/PATCH /v3/contact_card (without a card)"),
  2013: because("needs a group that the line has left"),
  2014: by("operations/POST /v3/contact_card (again)"),
  2015: by("webhooks/a second subscription of 2026-02-03"),
  2016: because("needs a group"),
  2017: NO_IMESSAGE,
  2018: NO_IMESSAGE,
  2019: by("operations/PUT /v3/phone_numbers/{phoneNumber} (unknown)"),
  2020: by("operations/GET /v3/phone_numbers/{phoneNumber}/reputation_audit/{auditId} (unknown)"),
  2021: by("operations/GET /v3/payments/{paymentId}"),
  2022: because("needs a device that fails"),
  2023: by("operations/POST /v3/chats/{chatId}/leave"),
  2024: by("phones/a send after STOP"),
  2025: by("phones/a block that does not exist"),
  2026: by("phones/a send to a blocked person"),
  2027: because("needs a line that is restricted by its reputation"),
  2028: NO_IMESSAGE,
  2029: NO_IMESSAGE,
  2031: by("operations/DELETE /v3/chats/{chatId}/location"),
  2032: because("needs events that are older than the log"),
  2033: because("needs a second program that polls"),
  2034: by("operations/GET /v3/consumers/{name} (deleted)"),
  2035: because("needs an account with quiet hours"),
  3001: FAILURE,
  3002: FAILURE,
  3003: FAILURE,
  3004: FAILURE,
  3005: FAILURE,
  3006: FAILURE,
  3007: OF_A_MESSAGE,
  4001: OF_A_MESSAGE,
  4002: because("needs a line that is down"),
  4003: FAILURE,
  4004: NO_RCS,
  4005: NO_IMESSAGE,
  4006: OF_A_MESSAGE,
  4007: OF_A_MESSAGE,
  4008: because("needs a chat in which no one has written to the line"),
  4009: NO_RCS,
  4010: NO_RCS,
  5001: FAILURE,
  5002: FAILURE,
  5003: FAILURE,
  5004: because("a type that is not accepted is 1005, too"),
  5005: because("a size over the limit is 1005, too"),
  5006: because("needs a file at a URL that the implementation reaches"),
  5007: because("the wait for a URL that does not answer is up to the implementation"),
};

/** Names the codes that no check provokes. */
export function nameUnreachableCodes(run: Run): void {
  for (const [code, provocation] of Object.entries(ERROR_CODES)) {
    if ("because" in provocation)
      run.checks.skip("inputs", `error ${code}`, `not provoked: ${provocation.because}`);
  }
}
