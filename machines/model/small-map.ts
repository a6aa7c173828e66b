import { appended } from './values.ts';

/**
 * A map from text for what mostly has one entry or two: the pods of a volume, the nodes of a volume. Ten thousand of them are
 * kept, and two short lists take a third of the room of a Map and are searched faster. Entries stand in the order in which
 * they came, as in a Map; whoever goes over them goes over those that were there when he began.
 */
export class SmallMap<V> {
  private names: readonly string[] = NONE;
  private entries: readonly V[] = NONE;
  /** Where each key stands, once there are many. */
  private places: Map<string, number> | undefined;

  get size(): number {
    return this.names.length;
  }

  has(key: string): boolean {
    return this.placeOf(key) >= 0;
  }

  get(key: string): V | undefined {
    const place = this.placeOf(key);
    return place < 0 ? undefined : this.entries[place];
  }

  set(key: string, value: V): this {
    const place = this.placeOf(key);
    if (place >= 0) this.entries = this.entries.with(place, value);
    else if (this.names.length === 0) {
      this.names = [key];
      this.entries = [value];
    } else {
      this.names = appended(this.names, key);
      this.entries = appended(this.entries, value);
      this.places?.set(key, this.names.length - 1);
    }
    return this;
  }

  delete(key: string): boolean {
    const place = this.placeOf(key);
    if (place < 0) return false;
    this.names = this.names.length === 1 ? NONE : this.names.toSpliced(place, 1);
    this.entries = this.entries.length === 1 ? NONE : this.entries.toSpliced(place, 1);
    this.places = undefined;
    return true;
  }

  keys(): readonly string[] {
    return this.names;
  }
  values(): readonly V[] {
    return this.entries;
  }

  private placeOf(key: string): number {
    const { names } = this;
    if (names.length > MANY) {
      this.places ??= new Map(names.map((name, i) => [name, i]));
      return this.places.get(key) ?? -1;
    }
    for (let i = 0; i < names.length; i++) if (names[i] === key) return i;
    return -1;
  }
}

/** From here on a list is too long to be searched. */
const MANY = 12;
const NONE: readonly never[] = [];
