import { expect, test } from "vitest";
import { EndpointSlots } from "@/lib/webhooks/endpoint-slots";

function placesOf(slots: EndpointSlots, id: string): number {
  const { subscriptionIds, places } = slots.free();
  return places[subscriptionIds.indexOf(id)] ?? slots.first;
}

test("what is in hand takes places, and giving back frees them", () => {
  const slots = new EndpointSlots();
  for (let count = 0; count < slots.first; count++) slots.take("a");
  expect(placesOf(slots, "a")).toBe(0);
  expect(placesOf(slots, "b")).toBe(slots.first);
  slots.giveBack("a", true);
  expect(placesOf(slots, "a")).toBe(2);
});

test("an endpoint in trouble keeps four places at least, and grows again to 64 at most", () => {
  const slots = new EndpointSlots();
  for (let count = 0; count < 20; count++) {
    slots.take("a");
    slots.giveBack("a", false);
  }
  expect(placesOf(slots, "a")).toBe(4);
  for (let count = 0; count < 100; count++) {
    slots.take("a");
    slots.giveBack("a", true);
  }
  expect(placesOf(slots, "a")).toBe(64);
});
