import type { OperationName, RequestOf, ResponseOf } from "@/lib/testkit/api-operations";

/** A request that Trunkline rejected, with the fields of the error envelope. */
export class ApiCallError extends Error {
  override readonly name = "ApiCallError";

  constructor(
    /** The operation, such as `POST /v3/chats`. */
    readonly operation: string,
    /** The HTTP status. */
    readonly status: number,
    /** The code of the error reference, such as 2024; 0 if the response has no error envelope. */
    readonly code: number,
    /** Finds the request in the dashboard's request log. */
    readonly traceId: string | null,
    detail: string,
  ) {
    super(`${operation} failed with ${status}/${code}: ${detail}`);
  }
}

type Arguments<Name extends OperationName> =
  object extends RequestOf<Name> ? [request?: RequestOf<Name>] : [request: RequestOf<Name>];

/** The untyped parts of a request. */
interface AnyRequest {
  path?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | readonly string[] | undefined>;
  body?: unknown;
}

/** Calls the API of a running instance with a token. */
export class ApiClient {
  constructor(
    /** The base URL of the instance, without a trailing slash. */
    readonly url: string,
    /** The API token that each request carries. */
    readonly token: string,
  ) {}

  /**
   * Calls an operation: `call("POST /v3/chats/{chatId}/messages", { path: { chatId }, body })`. Resolves with the body
   * of the response. Throws ApiCallError for a rejected request, and fetch's error when the instance is unreachable.
   */
  async call<Name extends OperationName>(
    operation: Name,
    ...[request]: Arguments<Name>
  ): Promise<ResponseOf<Name>> {
    return (await this.send(operation, request as AnyRequest | undefined)) as ResponseOf<Name>;
  }

  private async send(operation: string, { path = {}, query = {}, body }: AnyRequest = {}): Promise<unknown> {
    const [method = "GET", template = ""] = operation.split(" ");
    const target = new URL(this.url + fillIn(template, path));
    for (const [name, value] of Object.entries(query)) {
      for (const one of Array.isArray(value) ? value : [value]) {
        if (one !== undefined) target.searchParams.append(name, String(one));
      }
    }
    const response = await fetch(target, {
      method,
      headers: {
        authorization: `Bearer ${this.token}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw toError(operation, response, text);
    return text === "" ? undefined : JSON.parse(text);
  }
}

function fillIn(template: string, path: Record<string, string | number>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new TypeError(`${template} requires the path parameter ${name}`);
    return encodeURIComponent(value);
  });
}

function toError(operation: string, response: Response, text: string): ApiCallError {
  const { error, trace_id } = readEnvelope(text);
  const traceId = trace_id ?? response.headers.get("x-trace-id");
  const detail = error?.message ?? text.slice(0, 200);
  return new ApiCallError(operation, response.status, error?.code ?? 0, traceId, detail);
}

interface Envelope {
  error?: { code?: number; message?: string };
  trace_id?: string;
}

function readEnvelope(text: string): Envelope {
  try {
    return JSON.parse(text) as Envelope;
  } catch {
    return {};
  }
}
