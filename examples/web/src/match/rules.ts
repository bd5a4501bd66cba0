/** The game's tables as the build bar and the hands need them: names, costs, what needs what. */
import { N, type Library, type SkirmishBuilding, type SkirmishSpec, type SkirmishWorld } from '../wasm';

export interface Kind {
  index: number;
  name: string;
  spec: SkirmishSpec;
}

/** Condors that lift one Goliath. Source: the game's own rule, of which the ABI has no figure. */
export const LIFT_CONDORS = 2;

export class Rules {
  readonly units: readonly Kind[];
  readonly buildings: readonly Kind[];
  readonly powers: readonly Kind[];
  readonly refusals: readonly string[];

  constructor(lib: Library) {
    const table = (names: number): Kind[] =>
      lib.names(names).map((name, index) => ({ index, name, spec: lib.spec(names, index)! }));
    this.units = table(N.NAMES_UNITS);
    this.buildings = table(N.NAMES_BUILDINGS);
    this.powers = table(N.NAMES_POWERS);
    this.refusals = lib.names(N.NAMES_REFUSALS);
  }
}

/** One button of the build bar. */
export interface Entry {
  kind: number;
  name: string;
  cost: number;
  /** Why it cannot be had now. */
  whyNot: string | null;
}

/** What the lists look at. */
export interface Stock {
  world: SkirmishWorld;
  own: readonly SkirmishBuilding[];
  side: number;
  bans: { units: number; buildings: number };
  /** Powers that were just ordered: they count as used before that lands. */
  usedPowers: ReadonlySet<number>;
}

function whyNot(rules: Rules, stock: Stock, banned: boolean, cost: number, needs: readonly number[]): string | null {
  if (banned) return 'not in this match';
  const missing = needs.find((kind) => kind >= 0 && !stock.own.some((building) => building.kind === kind));
  if (missing !== undefined) return `needs ${rules.buildings[missing]!.name}`;
  return stock.world.credits[stock.side]! < cost ? 'too dear' : null;
}

/** What can be built. */
export function buildingEntries(rules: Rules, stock: Stock): Entry[] {
  return rules.buildings
    .filter(({ spec }) => spec.cost >= 0)
    .map(({ index, name, spec }) => {
      const banned = ((stock.bans.buildings >> index) & 1) === 1;
      return { kind: index, name, cost: spec.cost, whyNot: whyNot(rules, stock, banned, spec.cost, [spec.needs]) };
    });
}

/** What units can be made. */
export function unitEntries(rules: Rules, stock: Stock): Entry[] {
  return rules.units.map(({ index, name, spec }) => {
    const banned = ((stock.bans.units >> index) & 1) === 1;
    return { kind: index, name, cost: spec.cost, whyNot: whyNot(rules, stock, banned, spec.cost, [spec.madeIn, spec.needs]) };
  });
}

/** What can be called down. */
export function powerEntries(rules: Rules, stock: Stock): Entry[] {
  return rules.powers.map(({ index, name, spec }) => {
    const ready = stock.world.powersReady[4 * stock.side + index]!;
    const needs = whyNot(rules, stock, false, spec.cost, [N.BUILDING_UPLINK]);
    const cools = ready > stock.world.tick || stock.usedPowers.has(index);
    const left = Math.ceil((ready - stock.world.tick) / 10);
    return { kind: index, name, cost: spec.cost, whyNot: needs ?? (cools ? (left > 0 ? `ready in ${left} s` : 'on its way') : null) };
  });
}

/** The building that would make such a unit soonest: the one with the shortest queue. */
export function maker(rules: Rules, own: readonly SkirmishBuilding[], kind: number): SkirmishBuilding | null {
  const makers = own.filter((building) => building.kind === rules.units[kind]!.spec.madeIn);
  makers.sort((a, b) => a.queued - b.queued || a.id - b.id);
  return makers[0] ?? null;
}
