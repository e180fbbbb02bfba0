/** `trunkline/testing`: test a program against simulated phones, with signed webhooks and a clock that moves. */
export { ApiCallError, type ApiClient } from "@/lib/testkit/api-client";
export type {
  BodyOf,
  EventOf,
  EventType,
  OperationName,
  RequestOf,
  ResponseOf,
} from "@/lib/testkit/api-operations";
export {
  createSimulator,
  type Sending,
  type SentChat,
  type Simulator,
  type SimulatorOptions,
  type Snapshot,
} from "@/lib/testkit/create-simulator";
export type { ConsumerSettings, EventConsumer } from "@/lib/testkit/event-consumer";
export { runScenario, type Scenario, scenario } from "@/lib/testkit/scenario";
export type {
  CheckoutResult,
  PhoneReaction,
  PhoneSettings,
  ReceivedMessage,
  SimulatedPhone,
  TestCard,
  Writing,
  Written,
} from "@/lib/testkit/simulated-phone";
export type { ClockReading, SimulatorClock } from "@/lib/testkit/simulator-clock";
export type { ActiveFault, NewFault, SimulatorFaults } from "@/lib/testkit/simulator-faults";
export type { LimitChange, Limits, SimulatorLimits } from "@/lib/testkit/simulator-limits";
export { type Instance, type InstanceOptions, startInstance } from "@/lib/testkit/start-instance";
export { WaitTimeoutError } from "@/lib/testkit/wait-timeout-error";
export type {
  ReceivedWebhook,
  Responder,
  WebhookMatch,
  WebhookReceiver,
} from "@/lib/testkit/webhook-receiver";
