/** A request of a check. */
export interface ApiRequest {
  method: string;
  /** With values and query, for example `/v3/chats?limit=1`. */
  path: string;
  body?: unknown;
  /** A body that is not JSON, in place of `body`. */
  raw?: string;
  headers?: Readonly<Record<string, string>>;
  /** Another token; null for none. */
  token?: string | null;
  /** Returns a 429 in place of waiting. */
  isLimitExpected?: boolean;
  /** Removes something that the run created, also after the run was stopped. */
  isRemoval?: boolean;
}

/** The response to a request. */
export interface ApiResponse {
  /** 0 without a response. */
  status: number;
  headers: Headers;
  text: string;
  /** Undefined if the body is not JSON. */
  json: unknown;
  /** Why there is no whole response. */
  failure: string | null;
  /** The request as shown in a report, without secrets. */
  request: string;
}
