/** Caches the results of `make` for the last `most` different keys. Errors are not cached. */
export function memoize<Result>(most: number, make: (key: string) => Result): (key: string) => Result {
  const cache = new Map<string, Result>();
  return (key) => {
    const known = cache.get(key);
    if (known !== undefined) return known;
    const value = make(key);
    cache.set(key, value);
    const [oldest] = cache.keys();
    if (cache.size > most && oldest !== undefined) cache.delete(oldest);
    return value;
  };
}
