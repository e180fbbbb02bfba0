import { waitingEndpoint } from "@/lib/runtime/streams/waiting-endpoint";
import { loggedPoll, PollConsumer, pollConsumer } from "@/lib/webhooks/consumers/poll-consumer";

export const POST = waitingEndpoint(PollConsumer, pollConsumer, loggedPoll);
