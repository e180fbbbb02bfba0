// The program under test: confirms a booking when a customer asks for a table.
const { TRUNKLINE_URL = "http://localhost:3000", TRUNKLINE_TOKEN } = process.env;

/** Answers the customer of a `message.received` event. */
export async function confirmBooking(event, { url = TRUNKLINE_URL, token = TRUNKLINE_TOKEN } = {}) {
  const response = await fetch(`${url}/v3/chats/${event.data.chat.id}/messages`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ message: { parts: [{ type: "text", value: "Your code is 481923." }] } }),
  });
  if (!response.ok) throw new Error(`the message was rejected: ${response.status}`);
}
