import { contentTypeOf, findFileError } from "@/components/composer/files/file-type";
import type { Upload } from "@/components/composer/files/upload";
import { randomKey } from "@/lib/client/random-key";

export { uploadFile } from "@/components/composer/files/upload-file";

/** A chosen file as an upload, which is refused if the API would reject the file. */
export function prepareUpload(file: File): Upload {
  const problem = findFileError(file);
  return {
    key: randomKey(),
    name: file.name,
    sizeBytes: file.size,
    contentType: contentTypeOf(file) ?? "",
    file,
    state: problem === null ? "uploading" : "refused",
    progress: 0,
    attachmentId: null,
    problem,
  };
}
