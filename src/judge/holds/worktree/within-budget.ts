// Question: may what tools make again stay, because all of it takes no more than was asked for?
// Evidence: sizes as they were weighed, and the newest write to each. Those last written to stay.
import { type Evidence, holds } from '../../evidence.ts';
import { sizeWords } from '../../size.ts';

export function withinBudget(budget: number): Evidence {
  return holds('within-budget', `what stays takes no more than ${sizeWords(budget)}, and older ones go first`, {
    source: 'files',
  });
}
