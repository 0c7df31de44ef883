/**
 * What is made once for the commands (or the effects) of a line and asked for again for each of them: a line of 50,000 commands
 * must stay linear, and an ordinary one must not pay for it.
 */

/** Longer lists are kept by identity for as long as they live; a short one is made again in less time than a WeakMap takes. */
const SHORT = 32;

/** Remembers what was made of a list. The list may not change any more. `context`: what making it needs besides. */
export function perLine<K extends readonly unknown[], C, T>(make: (list: K, context: C) => T): (list: K, context: C) => T {
  const long = new WeakMap<K, { made: T }>();
  let latest: K | undefined;
  let value: T | undefined;
  return (list, context) => {
    if (list === latest) return value as T;
    let known = list.length > SHORT ? long.get(list) : undefined;
    if (!known) {
      known = { made: make(list, context) };
      if (list.length > SHORT) long.set(list, known);
    }
    latest = list;
    value = known.made;
    return known.made;
  };
}
