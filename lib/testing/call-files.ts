import { ReadableStream } from "node:stream/web";
import { routes } from "@/.generated/route-table";
import { createApiRouter } from "@/lib/runtime/server/api-router";
import { callApi } from "@/lib/testing/call-api";
import { sampleWav } from "@/lib/testing/samples/file-samples";

const router = createApiRouter(routes);

/** The fields of POST /v3/attachments that an upload needs. */
export interface UploadedFile {
  attachment_id: string;
  download_url: string;
  upload_url: string;
  required_headers: Record<string, string>;
}

interface FileAnswer {
  status: number;
  headers: Headers;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: tests read arbitrary fields
  body: any;
}

/** Uploads bytes to an upload URL with its headers, in this process. `changed` replaces some of the headers. */
export function uploadFile(
  file: Pick<UploadedFile, "upload_url" | "required_headers">,
  content: Uint8Array | AsyncIterable<Uint8Array>,
  changed: Record<string, string> = {},
): Promise<FileAnswer> {
  const headers = new Headers({ ...file.required_headers, ...changed });
  const stream = ReadableStream.from(content instanceof Uint8Array ? [content] : content);
  const init = { method: "PUT", headers, body: stream, duplex: "half" };
  return sendRequest(new Request(file.upload_url, init as unknown as RequestInit));
}

/**
 * Announces an audio file, or another content that `declared` describes, and uploads it. Returns the answer to the
 * announcement.
 */
export async function uploadWav(
  token: string,
  content: Uint8Array = sampleWav(1500),
  declared: { filename?: string; content_type?: string } = {},
): Promise<UploadedFile> {
  const size_bytes = content.length;
  const { body } = await callApi("POST /v3/attachments", {
    token,
    body: { filename: "memo.wav", content_type: "audio/x-wav", size_bytes, ...declared },
  });
  const { status } = await uploadFile(body, content);
  if (status !== 200) throw new Error(`the upload was answered with ${status}`);
  return body;
}

/** Requests a file's URL in this process. */
export function fetchFile(
  url: string,
  headers: Record<string, string> = {},
  method = "GET",
): Promise<FileAnswer> {
  return sendRequest(new Request(url, { method, headers }));
}

async function sendRequest(request: Request): Promise<FileAnswer> {
  const response = await router.fetch(request);
  const bytes = Buffer.from(await response.arrayBuffer());
  const isJson = response.headers.get("content-type")?.includes("json") === true;
  return {
    status: response.status,
    headers: response.headers,
    bytes,
    body: isJson ? JSON.parse(bytes.toString("utf8")) : null,
  };
}
