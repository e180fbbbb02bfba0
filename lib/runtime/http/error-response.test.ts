import { describe, expect, test } from "vitest";
import { ApiError, ERRORS, type ErrorName } from "@/lib/platform/errors/errors";
import { errorResponse } from "@/lib/runtime/http/error-response";

const TRACE = "0123456789abcdef0123456789abcdef";
const PERMANENT_CONFLICTS = [1006, 2013, 2014, 2015, 2016, 2017, 2018, 2023, 2028, 2029];

describe("the error envelope", () => {
  test.each(Object.keys(ERRORS) as ErrorName[])(
    "%s has code, status, a page of the documentation and the trace id",
    async (name) => {
      const response = errorResponse(new ApiError(name, "detail"), TRACE);
      const body = await response.json();
      const { code, status } = ERRORS[name];

      expect(response.status).toBe(status);
      expect(response.headers.get("x-trace-id")).toBe(TRACE);
      expect(body).toMatchObject({ success: false, error: { status, code }, trace_id: TRACE });
      expect(body.error.doc_url).toMatch(new RegExp(`/error/codes/${Math.floor(code / 1000)}xxx/${code}/$`));
    },
  );

  test("a permanent conflict tells the client not to repeat it; one that passes tells it to", () => {
    for (const [name, row] of Object.entries(ERRORS)) {
      const response = errorResponse(new ApiError(name as ErrorName), TRACE);
      if (PERMANENT_CONFLICTS.includes(row.code))
        expect(response.headers.get("x-should-retry")).toBe("false");
    }
    expect(errorResponse(new ApiError("chat_being_created"), TRACE).headers.get("x-should-retry")).toBe(
      "true",
    );
    expect(errorResponse(new ApiError("send_timed_out"), TRACE).headers.get("x-should-retry")).toBe("false");
  });

  test("a 429 says when to come back, and over a minute not to wait inside the client", async () => {
    const soon = errorResponse(new ApiError("rate_limited", undefined, 12), TRACE);
    expect(soon.headers.get("retry-after")).toBe("12");
    expect(soon.headers.get("x-should-retry")).toBeNull();
    expect((await soon.json()).error.retry_after).toBe(12);

    const late = errorResponse(new ApiError("rate_limited", undefined, 3600), TRACE);
    expect(late.headers.get("x-should-retry")).toBe("false");
  });

  test("an unexpected error is 3006 and does not expose its cause", async () => {
    const response = errorResponse(new Error("password=hunter2"), TRACE);
    expect(response.status).toBe(500);
    expect(JSON.stringify(await response.json())).not.toContain("hunter2");
  });
});
