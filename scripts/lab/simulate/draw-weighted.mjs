/** Draws a name of a table by the `weight` of its entries. */
export function drawWeighted(random, table) {
  const names = Object.keys(table);
  let left = random.below(names.reduce((sum, name) => sum + table[name].weight, 0));
  return names.find((name) => {
    left -= table[name].weight;
    return left < 0;
  });
}
