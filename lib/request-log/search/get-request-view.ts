import "server-only";
import { z } from "zod";
import type { Context } from "@/lib/platform/context";
import { contract, type Input } from "@/lib/platform/contract";
import { sql } from "@/lib/platform/database/db";
import { statement } from "@/lib/platform/database/statement";
import { fail } from "@/lib/platform/errors/errors";
import { hasRight } from "@/lib/platform/rights/role-rights";
import {
  LoggedRequestDetails,
  REQUEST_COLUMNS,
  REQUEST_TOKEN,
  toLoggedRequest,
} from "@/lib/request-log/search/api-request";
import { readBodies } from "@/lib/request-log/search/read-bodies";
import { toLoggedHeaders } from "@/lib/request-log/store/logged-headers";

export const GetRequestView = contract({
  summary: "Get a logged request with its bodies",
  tag: "Requests",
  right: "view_requests",
  params: z.object({ requestId: z.uuid() }),
  returns: LoggedRequestDetails,
  status: 200,
  errors: ["name_unknown"],
});

const GET_REQUEST_VIEW = statement(
  "get-request-view",
  `select ${REQUEST_COLUMNS}, r.user_agent, r.address, r.message_ids, r.headers, r.request_body, r.response_body,
    r.body_form, r.request_bytes, r.response_bytes
  from api_requests r ${REQUEST_TOKEN} where r.account_id = :accountId and r.id = :requestId`,
);

/** A logged API request with both of its bodies. Errors: name_unknown. */
export async function getRequestView(ctx: Context, { params }: Pick<Input<typeof GetRequestView>, "params">) {
  const [row] = await sql.run(GET_REQUEST_VIEW, { accountId: ctx.account.id, requestId: params.requestId });
  if (row === undefined)
    fail(
      "name_unknown",
      "the account has no request with this ID, or the request is past its retention period",
    );

  const {
    user_agent,
    address,
    message_ids,
    headers: storedHeaders,
    request_body,
    response_body,
    body_form,
    request_bytes,
    response_bytes,
    ...request
  } = row;
  const hidden = !mayReadBodies(ctx, request.path);
  const headers = toLoggedHeaders(storedHeaders);
  const bodies = hidden
    ? HIDDEN
    : readBodies({ ...request, message_ids, request_body, response_body, body_form });
  return {
    ...toLoggedRequest(request),
    user_agent,
    address,
    message_ids,
    bodies_hidden: hidden,
    request: { headers: headers.request, body: bodies.request, size_bytes: request_bytes },
    response: { headers: headers.answer, body: bodies.response, size_bytes: response_bytes },
  };
}

const HIDDEN = { request: null, response: null };
const OF_PAYMENTS = /^(\/api\/partner)?\/v3\/payment/;

function mayReadBodies(ctx: Context, path: string): boolean {
  if (!hasRight(ctx, "view_request_bodies")) return false;
  return !OF_PAYMENTS.test(path) || hasRight(ctx, "view_payment_payloads");
}
