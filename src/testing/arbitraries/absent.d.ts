/**
 * What fast-check's types are where it is not installed. A pattern is asked only after the package was looked for in
 * vain, so whoever has fast-check gets its own types.
 */
declare module 'fast-check*' {
  const fc: never;
  namespace fc {
    interface Arbitrary<T> {
      readonly 'fast-check is not installed': T;
    }
  }
  export default fc;
}
