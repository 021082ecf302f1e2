// SPDX-License-Identifier: MIT
// A trace file in memory: what happened when, and how things stood at any tick.
// The format: docs/reference/trace-file.md.

export interface Thing {
    id: string;
    type: string;
    name: string;
    box: number[];
    label: string;
    opening: number; // of a door, 0 to 1; -1 of others
    gone: boolean;
}

export interface Turn {
    tick: number;
    at: number[];
    forward: number[];
    verb: string;
    came: string;
    target: string;
    goal: string;
    action: string;
    thought: string;
    path: number[][]; // that it follows
}

export interface GoalEvent {
    tick: number;
    what: string;
    depth: number;
    goal: string;
    status: string;
    reason: string;
}

interface ThingEvent {
    tick: number;
    agent: number;
    thing: Thing;
}

// What an agent learned that a button does to a door, and the sightings of the door that it
// follows from.
export interface LearnedLink {
    panel: string;
    button: number;
    name: string;
    door: string;
    to: string;
    how: string;
    sightings: number; // all of them
    seen: { tick: number; state: string; earlier: boolean }[];
}

// What a fail rests on: where the body may ever be, and what shuts it in.
export interface Proof {
    kind: string;
    target: number[] | null;
    shut: string[]; // doors
    leaves: number; // of the space; the largest are told
    reached: number[][]; // x, y, z, edge
}

export interface Agent {
    name: string;
    turns: Turn[];
    goals: GoalEvent[];
    links: { tick: number; links: LearnedLink[] }[];
    looks: { tick: number; at: number[]; cells: number; hidden: number }[];
}

export interface Goal {
    name: string;
    depth: number;
    status: string;
    reason: string;
    isCurrent: boolean;
}

type Line = Record<string, unknown>;

// The last of a sorted list that is not later; -1 where there is none.
export function lastAt(list: { tick: number }[], tick: number): number {
    let low = -1, high = list.length - 1;
    while (low < high) {
        const middle = (low + high + 1) >> 1;
        if (list[middle]!.tick <= tick) {
            low = middle;
        } else {
            high = middle - 1;
        }
    }
    return low;
}

export class Trace {
    head: Line = {};
    end: Line | null = null;
    agents: Agent[] = [];
    ticks = 0; // the last
    rate = 60; // a second
    version = 0; // rises with what is added
    private events: ThingEvent[] = [];
    private rest = '';
    private things = new Map<string, Thing>();
    private thingsTo = 0; // events that are in them
    private base = 0; // ticks of the lives before
    private readonly decoder = new TextDecoder();

    add(bytes: Uint8Array): void {
        const lines = (this.rest + this.decoder.decode(bytes, { stream: true })).split('\n');
        this.rest = lines.pop()!;
        for (const line of lines) {
            if (line) {
                this.take(JSON.parse(line) as Line);
            }
        }
        this.version++;
    }

    private take(line: Line): void {
        if ('octant_trace' in line) {
            this.begin(line);
            return;
        }
        const tick = this.base + Number(line['tick'] ?? this.ticks - this.base);
        this.ticks = Math.max(this.ticks, tick);
        const agent = this.agents[Number(line['agent'] ?? 0)];
        switch (line['event']) {
            case 'turn': agent?.turns.push(turnOf(line, tick, agent)); break;
            case 'look': this.look(line, tick, agent); break;
            case 'plan': this.plan(line, agent); break;
            case 'move': this.move(line, agent); break;
            case 'goal': agent?.goals.push({ tick, what: String(line['what']), depth: Number(line['depth'] ?? 0),
                goal: String(line['goal'] ?? ''), status: String(line['status'] ?? ''),
                reason: String(line['reason'] ?? line['handler'] ?? '') }); break;
            case 'links': agent?.links.push({ tick, links: ((line['links'] as Line[]) ?? []).map((l) => linkOf(l, this.base)) }); break;
            case 'life': this.base = this.ticks; break;
            case 'end': this.end = line; break;
        }
    }

    private begin(head: Line): void {
        this.head = head;
        this.rate = Number(head['ticks'] ?? 10);
        const names = (head['agents'] as string[] | undefined) ?? ['body'];
        this.agents = names.map((name) => ({ name, turns: [], goals: [], links: [], looks: [] }));
    }

    // Exploring has no clock: a metre counts as half a second.
    private move(line: Line, agent: Agent | undefined): void {
        const last = agent?.turns.at(-1);
        for (const at of (line['points'] as number[][]) ?? []) {
            const from = agent?.turns.at(-1)?.at ?? at;
            const length = Math.hypot(...at.map((c, i) => c - from[i]!));
            this.ticks += Math.max(1, Math.round(length * this.rate * 0.5));
            agent?.turns.push({ ...(last ?? turnOf({}, 0, agent)), tick: this.ticks, at });
        }
    }

    private plan(line: Line, agent: Agent | undefined): void {
        const last = agent?.turns.at(-1) ?? agent?.looks.at(-1);
        if (agent && last) {
            this.ticks++;
            agent.turns.push({ ...turnOf({ at: last.at, points: line['points'] ?? [] }, this.ticks, agent),
                thought: `${line['status']}: ${line['why'] ?? ''}` });
        }
    }

    private look(line: Line, tick: number, agent: Agent | undefined): void {
        const at = line['at'] as number[];
        agent?.looks.push({ tick, at, cells: Number(line['cells'] ?? line['known'] ?? 0), hidden: Number(line['hidden'] ?? 0) });
        if (agent && agent.turns.length === 0) {
            agent.turns.push(turnOf({ at }, tick, agent));
        }
        const index = this.agents.indexOf(agent!);
        for (const key of ['things', 'changed']) {
            for (const thing of (line[key] as Line[]) ?? []) {
                this.events.push({ tick, agent: index, thing: thingOf(thing) });
            }
        }
        for (const id of (line['gone'] as unknown[]) ?? []) {
            this.events.push({ tick, agent: index, thing: { ...thingOf({ id, box: [0, 0, 0, 0, 0, 0] }), gone: true } });
        }
    }

    // What any agent knew of things. Going back begins again.
    thingsAt(tick: number): Map<string, Thing> {
        let changed = false;
        if (this.thingsTo > 0 && this.events[this.thingsTo - 1]!.tick > tick) {
            this.things = new Map();
            this.thingsTo = 0;
        }
        while (this.thingsTo < this.events.length && this.events[this.thingsTo]!.tick <= tick) {
            const { thing } = this.events[this.thingsTo++]!;
            changed = true;
            if (thing.gone) {
                this.things.delete(thing.id);
            } else {
                this.things.set(thing.id, thing);
            }
        }
        if (changed) {
            this.things = new Map(this.things); // another one: what is drawn of it is old
        }
        return this.things;
    }

    proofs(): Proof[] {
        return ((this.end?.['proofs'] as Line[] | undefined) ?? []).map((p) => ({
            kind: String(p['kind']), target: (p['target'] as number[] | undefined) ?? null,
            shut: ((p['shut'] as unknown[]) ?? []).map(String), leaves: Number(p['leaves'] ?? 0),
            reached: (p['reached'] as number[][]) ?? [],
        }));
    }

    // Goals that were begun, as they stood.
    goalsAt(agent: Agent, tick: number): Goal[] {
        const open: Goal[] = [];
        const all: Goal[] = [];
        for (const event of agent.goals) {
            if (event.tick > tick) {
                break;
            }
            if (event.what === 'begins') {
                open.length = event.depth;
                const goal = { name: event.goal, depth: event.depth, status: 'current', reason: '', isCurrent: false };
                open[event.depth] = goal;
                all.push(goal);
            } else if (event.what === 'ends' && open[event.depth]) {
                open[event.depth]!.status = event.status;
                open[event.depth]!.reason = event.reason;
            }
        }
        const current = [...all].reverse().find((g) => g.status === 'current');
        if (current) {
            current.isCurrent = true;
        }
        return all;
    }
}

function turnOf(line: Line, tick: number, agent: Agent | undefined): Turn {
    const last = agent?.turns.at(-1);
    const word = (key: string): string => String(line[key] ?? '');
    return {
        tick, at: line['at'] as number[], forward: (line['forward'] as number[]) ?? [0, 0, 0], verb: word('verb'),
        came: word('came'), target: word('target'), goal: word('goal'), action: word('action'), thought: word('thought'),
        path: (line['points'] as number[][]) ?? last?.path ?? [],
    };
}

function linkOf(line: Line, base: number): LearnedLink {
    return {
        panel: String(line['panel']), button: Number(line['button']), name: String(line['name']), door: String(line['door']),
        to: String(line['to']), how: String(line['how']), sightings: Number(line['sightings'] ?? 0),
        seen: ((line['seen'] as Line[]) ?? []).map((s) => ({
            tick: Number(s['tick']) + (s['earlier'] ? 0 : base), state: String(s['state']), earlier: Boolean(s['earlier']) })),
    };
}

function thingOf(line: Line): Thing {
    return {
        id: String(line['id']), type: String(line['type'] ?? ''), name: String(line['name'] ?? ''),
        box: line['box'] as number[], label: String(line['label'] ?? 'blocked'),
        opening: line['opening'] === undefined ? -1 : Number(line['opening']), gone: false,
    };
}
