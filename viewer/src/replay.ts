// SPDX-License-Identifier: MIT
// A test as it was played: agents, what they saw, wanted and thought, at any moment of it.
import {
    BufferAttribute, BufferGeometry, Color, Group, Line, LineBasicMaterial, Mesh, MeshBasicMaterial, SphereGeometry, Vector3,
    ConeGeometry, Quaternion,
} from 'three';
import * as address from './address';
import { Boxes } from './boxes';
import { isDark, ways } from './colours';
import { Labels } from './labels';
import { LearnedView } from './learned';
import type { Binary, Link } from './link';
import type { Stage } from './stage';
import { type Agent, lastAt, type Thing, Trace, type Turn } from './trace';
import { byId, el, heading, toast } from './ui';

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10, 25, 50, 100];
const LIVE_MS = 150; // between looks at a trace that still grows

interface Body {
    group: Group;
    trail: Line;
    path: Line;
    ball: Mesh;
    nose: Mesh;
    pathOf: number[][] | null;
    trailTo: number;
}

export class ReplayView {
    readonly group = new Group();
    readonly trace = new Trace();
    tick = 0;
    private playing = false;
    private speed = 1;
    private follows = address.get('follow') !== '0';
    private readonly bodies: Body[] = [];
    private readonly solids = new Boxes();
    private readonly glass = new Boxes(0.25);
    private readonly labels: Labels;
    private readonly learned: LearnedView;
    private drawnThings: Map<string, Thing> | null = null;
    private chosen = 0; // agent
    private offset = new Vector3(); // of the world, so that numbers near the picture are small
    private range!: HTMLInputElement;
    private clock!: HTMLElement;
    private button!: HTMLButtonElement;
    private line!: HTMLCanvasElement;
    private isLive = false;
    private shownFor = -1; // version of the trace that the time line shows

    static async open(link: Link, stage: Stage, item: number): Promise<ReplayView> {
        const view = new ReplayView(link, stage, item);
        await view.load();
        view.begin();
        return view;
    }

    private constructor(private readonly link: Link, private readonly stage: Stage, private readonly item: number) {
        this.group.add(this.solids.mesh, this.glass.mesh);
        this.labels = new Labels(stage);
        this.learned = new LearnedView(stage, this.group, this.trace, (at) => this.local(at));
        stage.world.add(this.group);
        stage.onFrame.push((s) => this.step(s));
    }

    private async load(): Promise<void> {
        let offset = 0;
        // One that is still to be played has nothing yet: the game begins when the page asks.
        while (offset === 0 || (!this.trace.agents[0]?.turns.length && !this.trace.end)) {
            offset = await this.readOn(offset);
            if (!this.trace.agents[0]?.turns.length && !this.trace.end) {
                toast('waits for the first turn');
                await new Promise((resolve) => setTimeout(resolve, LIVE_MS));
            }
        }
        if (!this.trace.end) {
            this.isLive = true;
            window.setTimeout(() => void this.grow(offset), LIVE_MS);
        }
    }

    private async readOn(from: number): Promise<number> {
        let offset = from;
        for (;;) {
            const answer = await this.link.ask<Binary>('lines', { item: this.item, offset });
            this.trace.add(answer.bytes);
            offset += answer.first;
            if (answer.second === 0) {
                return offset;
            }
            toast(`${(offset / 1e6).toFixed(0)} MB read`);
        }
    }

    // A test that is being played.
    private async grow(offset: number): Promise<void> {
        const answer = await this.link.ask<Binary>('lines', { item: this.item, offset });
        if (answer.first > 0) {
            const atEnd = this.tick >= this.trace.ticks - 1;
            this.trace.add(answer.bytes);
            this.makeBodies();
            this.range.max = String(this.trace.ticks);
            if (atEnd) {
                this.set(this.trace.ticks);
            } else {
                this.panels();
            }
        }
        if (!this.trace.end) {
            window.setTimeout(() => void this.grow(offset + answer.first), answer.second ? 0 : LIVE_MS);
        } else {
            this.isLive = false;
            this.set(this.tick);
        }
    }

    // ---- the picture ----

    private begin(): void {
        const { head } = this.trace;
        byId('facts').textContent = String(head['test'] ?? head['name'] ?? head['world'] ?? '');
        const start = this.trace.agents[0]?.turns[0]?.at ?? [0, 0, 0];
        this.offset.fromArray(start);
        const box = this.extent();
        const up = new Vector3().setComponent('xyz'.indexOf(String(head['up'] ?? 'z')), 1);
        this.stage.lookAt(box.from.clone().add(box.to).multiplyScalar(0.5), Math.max(box.from.distanceTo(box.to) / 2, 5), up);
        this.makeBodies();
        this.bar();
        const kept = Number(address.get('tick') ?? NaN);
        this.set(Number.isFinite(kept) ? kept : this.isLive ? this.trace.ticks : 0);
    }

    private extent(): { from: Vector3; to: Vector3 } {
        const from = new Vector3(Infinity, Infinity, Infinity), to = new Vector3(-Infinity, -Infinity, -Infinity);
        for (const agent of this.trace.agents) {
            agent.turns.forEach((t) => {
                const at = this.local(t.at);
                from.min(at);
                to.max(at);
            });
        }
        for (const thing of this.trace.thingsAt(this.trace.agents[0]?.looks[0]?.tick ?? 0).values()) {
            if (Math.max(...thing.box.map(Math.abs)) < 1e5) {
                from.min(this.local(thing.box.slice(0, 3)));
                to.max(this.local(thing.box.slice(3)));
            }
        }
        if (from.x > to.x) {
            from.set(0, 0, 0);
            to.set(0, 0, 0);
        }
        const margin = 1;
        return { from: from.subScalar(margin), to: to.addScalar(margin) };
    }

    private local(at: number[]): Vector3 {
        return new Vector3().fromArray(at).sub(this.offset);
    }

    private makeBodies(): void {
        const { agents, head } = this.trace;
        const height = Number(head['height'] ?? 1.8);
        while (this.bodies.length < agents.length) {
            const colour = ways[this.bodies.length % ways.length]!;
            const group = new Group();
            const ball = new Mesh(new SphereGeometry(Math.max(height / 2, 0.2), 24, 16), new MeshBasicMaterial({ color: colour }));
            const nose = new Mesh(new ConeGeometry(height / 5, height, 16), new MeshBasicMaterial({ color: colour }));
            const line = (width: number, hue: string): Line => {
                const made = new Line(new BufferGeometry(), new LineBasicMaterial({ color: hue, linewidth: width,
                    depthTest: false, transparent: true }));
                made.renderOrder = 4;
                made.frustumCulled = false;
                return made;
            };
            const body = { group, trail: line(2, colour), path: line(1, isDark() ? '#ffffff' : '#202020'), ball, nose,
                pathOf: null, trailTo: -1 };
            group.add(body.trail, body.path, ball, nose);
            this.group.add(group);
            this.bodies.push(body);
        }
    }

    // Between two turns a body is where it would be on a straight line.
    private placeOf(agent: Agent, index: number): Vector3 {
        const a = agent.turns[index]!, b = agent.turns[Math.min(index + 1, agent.turns.length - 1)]!;
        const share = b.tick > a.tick ? Math.min(1, (this.tick - a.tick) / (b.tick - a.tick)) : 0;
        return this.local(a.at).lerp(this.local(b.at), Math.max(share, 0));
    }

    private drawBody(body: Body, agent: Agent): void {
        const index = Math.max(lastAt(agent.turns, this.tick), 0);
        const turn = agent.turns[index];
        body.group.visible = turn !== undefined;
        if (!turn) {
            return;
        }
        const at = this.placeOf(agent, index);
        body.ball.position.copy(at);
        const forward = new Vector3().fromArray(turn.forward);
        body.nose.visible = forward.lengthSq() > 0;
        body.nose.position.copy(at).addScaledVector(forward, 0.9);
        body.nose.quaternion.copy(new Quaternion().setFromUnitVectors(new Vector3(0, 1, 0), forward.normalize()));
        this.drawTrail(body, agent, index, at);
        if (body.pathOf !== turn.path) {
            body.pathOf = turn.path;
            this.setLine(body.path, turn.path.map((p) => this.local(p)));
        }
    }

    private drawTrail(body: Body, agent: Agent, index: number, at: Vector3): void {
        const points = agent.turns.slice(0, index + 1).map((t) => this.local(t.at));
        this.setLine(body.trail, [...points, at]);
        body.trailTo = index;
    }

    private setLine(line: Line, points: Vector3[]): void {
        const places = new Float32Array(points.length * 3);
        points.forEach((p, i) => p.toArray(places, 3 * i));
        line.geometry.dispose();
        line.geometry = new BufferGeometry();
        line.geometry.setAttribute('position', new BufferAttribute(places, 3));
    }

    private drawThings(): void {
        const things = this.trace.thingsAt(this.tick);
        if (things === this.drawnThings) {
            return;
        }
        this.drawnThings = things;
        const names: { words: string; at: Vector3 }[] = [];
        const solid: { from: Vector3; to: Vector3; colour: Color }[] = [], glass: typeof solid = [];
        for (const thing of things.values()) {
            const box = { from: this.local(thing.box.slice(0, 3)), to: this.local(thing.box.slice(3)), colour: colourOf(thing) };
            if (thing.name) {
                names.push({ words: thing.name, at: box.from.clone().add(box.to).multiplyScalar(0.5) });
            }
            const isWall = thing.name === '' && thing.opening < 0;
            (isWall || thing.opening > 0.5 || thing.label !== 'blocked' ? glass : solid).push(box);
        }
        this.solids.set(solid);
        this.glass.set(glass);
        this.labels.set(names);
    }

    // ---- time ----

    set(tick: number): void {
        this.tick = Math.min(Math.max(tick, 0), this.trace.ticks);
        this.drawThings();
        this.learned.draw(this.trace.agents[this.chosen], this.tick, this.trace.thingsAt(this.tick));
        this.trace.agents.forEach((agent, i) => this.drawBody(this.bodies[i]!, agent));
        const body = this.bodies[this.chosen];
        if (this.follows && body?.group.visible) {
            this.stage.follow(body.ball.position);
        }
        this.panels();
        this.stage.draw();
    }

    private step(seconds: number): boolean {
        if (!this.playing) {
            return false;
        }
        this.set(this.tick + seconds * this.trace.rate * this.speed);
        if (this.tick >= this.trace.ticks && !this.isLive) {
            this.play(false);
        }
        return this.playing;
    }

    play(on: boolean): void {
        if (on && this.tick >= this.trace.ticks && !this.isLive) {
            this.set(0);
        }
        this.playing = on;
        this.button.textContent = on ? 'Stop' : 'Play';
        if (!on) {
            address.set('tick', String(Math.round(this.tick)));
        }
        this.stage.draw();
    }

    private turns(by: number): void {
        const turns = this.trace.agents[this.chosen]?.turns ?? [];
        const index = lastAt(turns, this.tick) + by;
        this.play(false);
        this.set(turns[Math.min(Math.max(index, 0), turns.length - 1)]?.tick ?? 0);
        address.set('tick', String(Math.round(this.tick)));
    }

    // ---- panels ----

    private bar(): void {
        const bar = byId('time');
        bar.hidden = false;
        this.button = el('button', { id: 'play', click: () => this.play(!this.playing) }, 'Play');
        this.range = el('input', { type: 'range', id: 'scrub', min: '0', max: String(this.trace.ticks), value: '0', step: '1',
            'aria-label': 'time', input: () => { this.play(false); this.set(Number(this.range.value));
                address.set('tick', String(this.range.value)); } });
        this.clock = el('span', { class: 'dim', style: 'min-width:110px' });
        const speed = el('select', { 'aria-label': 'speed', change: () => (this.speed = Number(speed.value)) },
            ...SPEEDS.map((s) => el('option', { value: String(s) }, `${s}×`)));
        speed.value = '1';
        const follow = el('input', { type: 'checkbox', id: 'follow', change: () => {
            this.follows = follow.checked;
            address.set('follow', this.follows ? '' : '0');
            this.set(this.tick);
        } });
        follow.checked = this.follows;
        this.line = el('canvas', { id: 'line', title: 'goals, presses and what interrupted', click: (e) => {
            const box = this.line.getBoundingClientRect();
            this.set((((e as MouseEvent).clientX - box.left) / box.width) * this.trace.ticks);
        } });
        bar.replaceChildren(el('div', { class: 'row' }, this.button, this.clock, this.range, speed,
            el('label', {}, follow, ' follow')), this.line);
        new ResizeObserver(() => this.drawLine()).observe(this.line);
    }

    private panels(): void {
        const seconds = (t: number): string => (t / this.trace.rate).toFixed(1);
        this.range.value = String(this.tick);
        this.clock.textContent = `${seconds(this.tick)} of ${seconds(this.trace.ticks)} s${this.isLive ? ', live' : ''}`;
        this.sidePanel();
        this.drawLine();
        toast(`${this.drawnThings?.size ?? 0} things seen`);
    }

    private sidePanel(): void {
        const side = byId('side');
        const agent = this.trace.agents[this.chosen];
        side.replaceChildren();
        if (this.trace.agents.length > 1) {
            heading(side, 'Agent');
            const choose = el('select', { change: () => { this.chosen = Number(choose.value); this.set(this.tick); } },
                ...this.trace.agents.map((a, i) => el('option', { value: String(i) }, a.name)));
            choose.value = String(this.chosen);
            side.append(choose);
        }
        this.verdict(side);
        if (!agent) {
            return;
        }
        const turn = agent.turns[Math.max(lastAt(agent.turns, this.tick), 0)];
        heading(side, 'Thought');
        side.append(el('div', { class: 'thought', id: 'thought' }, turn?.thought || turn?.action || '–'));
        this.facts(side, agent, turn);
        heading(side, 'Goals');
        const list = el('ul', { class: 'tree' });
        for (const goal of this.trace.goalsAt(agent, this.tick).slice(-60)) {
            list.append(el('li', { style: `--depth:${goal.depth}`, class: goal.isCurrent ? 'on' : '', title: goal.reason },
                el('i', { class: `dot ${goal.status}` }), goal.name));
        }
        side.append(list);
        this.learned.list(side, agent, this.tick, (tick) => { this.play(false); this.set(tick); });
    }

    private verdict(side: HTMLElement): void {
        const end = this.trace.end;
        heading(side, 'Verdict');
        if (!end || this.tick < this.trace.ticks) {
            side.append(el('span', { class: 'dim', id: 'verdict' }, this.isLive ? 'being played' : 'not yet'));
            return;
        }
        const word = String(end['verdict'] ?? end['status'] ?? '');
        side.append(el('span', { class: `verdict ${word}`, id: 'verdict' }, word),
            el('div', {}, String(end['reason'] ?? '')), el('div', { class: 'dim' }, String(end['where'] ?? '')));
        this.learned.proof(side);
        for (const note of (end['notes'] as string[] | undefined) ?? []) {
            side.append(el('div', { class: 'dim' }, note));
        }
    }

    private facts(side: HTMLElement, agent: Agent, turn: Turn | undefined): void {
        const look = agent.looks[lastAt(agent.looks, this.tick)];
        const rows: [string, string][] = [
            ['at', turn ? turn.at.map((c) => c.toFixed(1)).join(', ') : '–'],
            ['does', turn?.verb ? `${turn.verb}${turn.came === 'done' ? '' : `: ${turn.came}`}` : '–'],
            ['goal', turn?.goal || '–'],
            ['last look', look ? `${look.cells.toLocaleString('en')} cells` : '–'],
        ];
        heading(side, 'Now');
        side.append(el('dl', { class: 'facts' }, ...rows.flatMap(([k, v]) => [el('dt', {}, k), el('dd', {}, v)])));
    }

    // Goals as bars, presses and interruptions as marks, and now.
    private drawLine(): void {
        const agent = this.trace.agents[this.chosen];
        const w = this.line.clientWidth, h = 44;
        if (!agent || w === 0) {
            return;
        }
        if (this.line.width !== w || this.line.height !== h) {
            this.line.width = w;
            this.line.height = h;
        }
        const context = this.line.getContext('2d')!;
        const style = getComputedStyle(document.documentElement);
        const scale = w / Math.max(this.trace.ticks, 1);
        context.clearRect(0, 0, w, h);
        this.goalBars(context, agent, scale, style);
        context.fillStyle = '#2f6fd0';
        for (const turn of agent.turns) {
            if (turn.verb === 'use') {
                context.fillRect(turn.tick * scale - 1, 0, 3, 9);
            }
        }
        context.fillStyle = '#d55e00';
        agent.goals.filter((g) => g.what === 'interrupted').forEach((g) => context.fillRect(g.tick * scale - 1, 0, 3, 9));
        context.fillStyle = style.getPropertyValue('--ink');
        context.fillRect(this.tick * scale - 0.5, 0, 1.5, h);
        this.shownFor = this.trace.version;
    }

    private goalBars(context: CanvasRenderingContext2D, agent: Agent, scale: number, style: CSSStyleDeclaration): void {
        const open: { from: number; name: string }[] = [];
        const bar = (depth: number, to: number, status: string): void => {
            const goal = open[depth];
            if (!goal || depth > 3) {
                return;
            }
            const x = goal.from * scale, y = 11 + depth * 8, width = Math.max((to - goal.from) * scale - 0.5, 0.7);
            context.fillStyle = status === 'failed' ? style.getPropertyValue('--bad')
                : status === 'success' ? style.getPropertyValue('--good') : style.getPropertyValue('--accent');
            context.globalAlpha = 0.55;
            context.fillRect(x, y, width, 6.5);
            context.globalAlpha = 1;
        };
        for (const event of agent.goals) {
            if (event.what === 'begins') {
                open[event.depth] = { from: event.tick, name: event.goal };
            } else if (event.what === 'ends') {
                bar(event.depth, event.tick, event.status);
                delete open[event.depth];
            }
        }
        open.forEach((_, depth) => bar(depth, this.trace.ticks, ''));
    }

    key(event: KeyboardEvent): boolean {
        const step = event.shiftKey ? 10 : 1;
        const found: Record<string, () => void> = {
            ' ': () => this.play(!this.playing),
            ArrowLeft: () => this.turns(-step),
            ArrowRight: () => this.turns(step),
            f: () => byId('follow').click(),
        };
        const act = found[event.key];
        act?.();
        return act !== undefined;
    }

    state(): Record<string, unknown> {
        const agent = this.trace.agents[this.chosen];
        return {
            tick: this.tick, ticks: this.trace.ticks, playing: this.playing, live: this.isLive, shownFor: this.shownFor,
            links: this.learned.drawnLinks, proof: this.learned.drawnBoxes,
            things: this.drawnThings?.size ?? 0, faces: this.solids.faces + this.glass.faces,
            agents: this.trace.agents.length, turns: agent?.turns.length ?? 0,
            at: this.bodies[this.chosen]?.ball.position.clone().add(this.offset).toArray() ?? null,
            pixel: this.bodies[this.chosen] ? this.stage.pixelOf(this.bodies[this.chosen]!.ball.position) : null,
            thought: document.getElementById('thought')?.textContent ?? '',
            verdict: document.getElementById('verdict')?.textContent ?? '',
        };
    }
}

function colourOf(thing: Thing): Color {
    if (thing.opening >= 0) {
        return new Color('#c87a1e');
    }
    if (/panel|button/i.test(thing.type + thing.name)) {
        return new Color('#2f6fd0');
    }
    return new Color(thing.name ? '#b0256b' : isDark() ? '#8492a4' : '#7d8a99');
}
