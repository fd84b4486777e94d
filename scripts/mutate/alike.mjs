/**
 * Mutants that no test can notice, since nothing else comes of them, with the reason. Each names its file and what is
 * taken out; one that is not there any more is a mistake.
 */
const ALIKE = {};

export const alikeNames = Object.keys(ALIKE);

export function isAlike(name) {
  return ALIKE[name] !== undefined;
}
