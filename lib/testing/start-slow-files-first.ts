import path from "node:path";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Small files that take long: they start processes, and wait for them. */
const SLOW = new Set([
  "lib/attachments/store/upload-memory.test.ts",
  "lib/platform/postgres/baseline.test.ts",
  "lib/privacy/erasure/kill-erasure.test.ts",
  "lib/runtime/mcp/mcp-inspector.test.ts",
  "lib/runtime/server/drain-on-signal.test.ts",
  "lib/webhooks/replays/kill-replay.test.ts",
  "scripts/cli/state-commands.test.ts",
  "scripts/prisma.test.ts",
]);

/**
 * Vitest begins with the largest files. A small file that takes long would be among the last, and one worker would end
 * long after the others.
 */
export class SlowFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isSlow = ({ moduleId }: TestSpecification) =>
      SLOW.has(path.relative(this.ctx.config.root, moduleId));
    return [...sorted.filter(isSlow), ...sorted.filter((file) => !isSlow(file))];
  }
}
