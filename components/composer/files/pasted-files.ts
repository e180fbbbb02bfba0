const RICH_TEXT = ["text/html", "text/rtf"];

/**
 * The files that a paste attaches. Spreadsheets and word processors add an image of the copied text, which is not
 * attached. A file copied in a file manager comes with its name as plain text only.
 */
export function pastedFiles(clipboard: DataTransfer): File[] {
  const isText = clipboard.getData("text/plain").trim() !== "";
  const isRich = RICH_TEXT.some((type) => clipboard.types.includes(type));
  return isText && isRich ? [] : [...clipboard.files];
}
