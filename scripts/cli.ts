import { runCli } from "@/scripts/cli/run-cli";

process.exitCode = await runCli(process.argv.slice(2));
