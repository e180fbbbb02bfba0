import { expect, test } from "vitest";
import { readMarkdown } from "@/components/data/read-markdown";

const plain = (text: string) => ({ text, strong: false });

test("headings, lists and strong text of a report are parsed", () => {
  const text = "## +15550100: CRITICAL\n\n- One (1)\n- Two\n\n### What to do\n\n1. **Rest.** Wait.\n2. Done";
  expect(readMarkdown(text)).toEqual([
    { type: "heading", spans: [plain("+15550100: CRITICAL")] },
    { type: "bullets", items: [[plain("One (1)")], [plain("Two")]] },
    { type: "heading", spans: [plain("What to do")] },
    { type: "numbers", items: [[{ text: "Rest.", strong: true }, plain(" Wait.")], [plain("Done")]] },
  ]);
});

test("HTML, links and images stay plain text", () => {
  const text = "<img src=x onerror=alert(1)> [link](javascript:alert(1)) ![x](http://evil.example)";
  expect(readMarkdown(text)).toEqual([{ type: "paragraph", spans: [plain(text)] }]);
});
