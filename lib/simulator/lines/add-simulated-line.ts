import "server-only";
import { contract } from "@/lib/platform/contract";
import { CreateSimulatedLine, createSimulatedLine } from "@/lib/simulator/lines/create-simulated-line";

/** As `CreateSimulatedLine`, for the dashboard of a sandbox account. */
export const AddSimulatedLine = contract({ ...CreateSimulatedLine, right: "add_simulated_lines" });

/** Creates a simulated line of the sandbox account. Errors: as `CreateSimulatedLine`. */
export const addSimulatedLine = createSimulatedLine;
