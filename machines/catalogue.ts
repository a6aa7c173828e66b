/** Every state chart of the simulated cluster, by its id: what the site draws and what the witness table must cover. */
import type { Chart } from './kernel/machine.ts';

const CHARTS: readonly Chart[] = [];

export const machineCatalogue: ReadonlyMap<string, Chart> = new Map(CHARTS.map((chart) => [chart.id, chart]));
