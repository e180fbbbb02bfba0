import { readFileSync, writeFileSync } from "node:fs";

const BEGIN = "<!-- bench:begin -->";
const END = "<!-- bench:end -->";

/** Replaces the report between the markers in a document. Throws if there are no markers. */
export function writeDocument(file, report, { commit }) {
  const text = readFileSync(file, "utf8");
  const [begin, end] = [text.indexOf(BEGIN), text.indexOf(END)];
  if (begin === -1 || end < begin) throw new Error(`${file} has no ${BEGIN} … ${END}`);
  const day = new Date().toISOString().slice(0, 10);
  const table = `Measured ${day}${commit === null ? "" : `, at ${commit}`}.\n\n\`\`\`text\n${report.trim()}\n\`\`\``;
  writeFileSync(file, `${text.slice(0, begin)}${BEGIN}\n${table}\n${text.slice(end)}`);
}
