import { ApiFailure, apiFetch, toFailure, UNREACHABLE } from "@/lib/client/api-fetch";

interface Watched {
  /** 0 to 1. */
  onProgress: (share: number) => void;
  signal: AbortSignal;
}

/**
 * Creates an attachment and uploads its content. Returns the attachment id. Throws ApiFailure, or the signal's
 * reason.
 */
export async function uploadFile(
  file: File,
  contentType: string,
  { onProgress, signal }: Watched,
): Promise<string> {
  const { attachment_id } = await apiFetch<{ attachment_id: string }>("/api/attachments", {
    method: "POST",
    body: { filename: safeName(file.name), content_type: contentType, size_bytes: file.size },
    signal,
  });
  await putContent(`/api/attachments/${attachment_id}/content`, file, { onProgress, signal });
  return attachment_id;
}

// Replaces characters that the API rejects in file names, and keeps the extension.
function safeName(name: string): string {
  const clean = name.replace(/[\p{Cc}\p{Cf}/\\]/gu, "_").slice(-255);
  return /^\.*$/.test(clean) ? "file" : clean;
}

// XMLHttpRequest, because fetch doesn't report upload progress.
function putContent(path: string, file: File, { onProgress, signal }: Watched): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const abort = () => request.abort();
    request.upload.addEventListener("progress", ({ loaded, total }) =>
      onProgress(total ? loaded / total : 0),
    );
    request.addEventListener("load", () => {
      if (request.status < 300) resolve();
      else reject(toFailure(request.status, readEnvelope(request.responseText)));
    });
    request.addEventListener("error", () => reject(new ApiFailure(0, UNREACHABLE)));
    request.addEventListener("abort", () => reject(signal.reason));
    request.addEventListener("loadend", () => signal.removeEventListener("abort", abort));
    signal.addEventListener("abort", abort);
    request.open("PUT", path);
    request.send(file);
  });
}

function readEnvelope(text: string): Parameters<typeof toFailure>[1] {
  try {
    return JSON.parse(text);
  } catch {
    return {};
  }
}
