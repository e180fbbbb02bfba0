/**
 * The code blocks of a section of a Markdown text, in order: the language, the code, and the file name if the code
 * begins with a comment that is one. Throws for an unknown section.
 */
export function readCodeBlocks(markdown, title) {
  const [, section] = markdown.split(new RegExp(`^## ${title}$`, "m"));
  if (section === undefined) throw new Error(`there is no section "${title}"`);
  const [own] = section.split(/^## /m);
  return [...own.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language, code]) => ({
    language,
    code,
    file: /^(?:\/\/|#) (\S+\.\w+)\n/.exec(code)?.[1],
  }));
}
