import { readListedTables } from "@/lib/testing/database/distribution";

const PARAMETER = String.raw`\$\d+`;
const ACCOUNT_IS_GIVEN = [
  String.raw`\baccount_id\s*=\s*(any\(array\[)?${PARAMETER}`,
  String.raw`\((\w+\.)?account_id,[^)]*\)\s*(=|in)\s*\(+${PARAMETER}`,
  String.raw`insert into \w+(\s+as \w+)?\s*\(\s*account_id[^)]*\)\s*(values\s*\(|select)\s*${PARAMETER}`,
].map((pattern) => new RegExp(pattern, "i"));

const DISTRIBUTED = readListedTables().flatMap(([name, type]) => (type === "distributed" ? [name] : []));
const READS_DISTRIBUTED = new RegExp(
  String.raw`\b(from|join|into|update|using)\s+(only\s+)?(${DISTRIBUTED.join("|")})\b`,
  "i",
);

/**
 * Whether the text uses a distributed table without naming one account as a parameter. Reads the text only: a statement
 * counts as limited if it compares the account with a parameter anywhere.
 */
export function isAcrossAccounts(text: string): boolean {
  return READS_DISTRIBUTED.test(text) && !ACCOUNT_IS_GIVEN.some((pattern) => pattern.test(text));
}
