// SPDX-License-Identifier: MIT
// A swarm: thousands of units in a map, and how the tree would divide around them.
import {
    BufferAttribute, BufferGeometry, CanvasTexture, Color, LineBasicMaterial, LineSegments, Points, PointsMaterial,
} from 'three';
import * as address from './address';
import { ways } from './colours';
import type { Binary, Link } from './link';
import { MapView } from './map_view';
import { Player } from './player';
import type { Stage } from './stage';
import { byId, el, heading, short, toast } from './ui';

interface Head {
    units: number;
    ticks: number; // a second
    radius: number; // metres
    scale: number; // parts of a cell in which places are told
    cell: number;
}

interface Moment {
    tick: number;
    moving: number;
    at: Int32Array;
}

const UNITS_MAX = 4000; // of one question

export class SwarmView {
    private readonly moments: Moment[] = [];
    private readonly places: Float32Array; // cells
    private readonly cloud: Points;
    private readonly leaves = new LineSegments(new BufferGeometry(), new LineBasicMaterial({ color: '#e69f00' }));
    private readonly player: Player;
    private divides = address.get('divide') === '1';
    private asked = false;
    private leafCount = 0;
    private smallest = 0; // leaves of one cell
    private asOf = -1;
    private readonly facts = el('div', { class: 'dim', id: 'swarm-facts' });

    static async open(link: Link, stage: Stage, item: number): Promise<SwarmView> {
        const map = await MapView.open(link, stage, item);
        let bytes = new Uint8Array(0), offset = 0;
        const parts: Uint8Array[] = [];
        for (;;) {
            const answer = await link.ask<Binary>('lines', { item, offset });
            parts.push(answer.bytes);
            offset += answer.first;
            toast(`${(offset / 1e6).toFixed(0)} MB read`);
            if (answer.second === 0) {
                break;
            }
        }
        bytes = new Uint8Array(offset);
        let to = 0;
        for (const part of parts) {
            bytes.set(part, to);
            to += part.length;
        }
        return new SwarmView(link, stage, map, new TextDecoder().decode(bytes).split('\n'));
    }

    private readonly head: Head;

    private constructor(
        private readonly link: Link, private readonly stage: Stage, readonly map: MapView, lines: string[],
    ) {
        this.head = JSON.parse(lines[0]!) as Head;
        const { units } = this.head;
        let last = new Int32Array(3 * units);
        for (const line of lines.slice(1)) {
            // Only a whole line: a trace may have been cut short.
            if (!line.startsWith('{"event": "places"') || !line.endsWith('}')) {
                continue;
            }
            const told = JSON.parse(line) as { tick: number; at: number[]; moving: number };
            const at = Int32Array.from(told.at, (d, i) => last[i]! + d);
            last = at;
            this.moments.push({ tick: told.tick, moving: told.moving, at });
        }
        this.places = new Float32Array(3 * units);
        this.cloud = this.makeCloud(units);
        this.leaves.frustumCulled = false;
        map.group.add(this.cloud, this.leaves);
        this.player = new Player((this.moments.at(-1)?.tick ?? 0) / this.head.ticks, (at) => this.show(at));
        this.side();
        stage.onFrame.push((passed) => this.player.step(passed));
        this.player.set(Number(address.get('at') ?? 0) || 0);
    }

    private makeCloud(units: number): Points {
        const colours = new Float32Array(3 * units), colour = new Color();
        for (let i = 0; i < units; i++) {
            colour.set(ways[i % 7]!).toArray(colours, 3 * i);
        }
        const geometry = new BufferGeometry();
        geometry.setAttribute('position', new BufferAttribute(this.places, 3));
        geometry.setAttribute('color', new BufferAttribute(colours, 3));
        const material = new PointsMaterial({
            size: (2 * this.head.radius) / this.head.cell, vertexColors: true, map: disc(), alphaTest: 0.5 });
        // Far units stay visible.
        material.onBeforeCompile = (shader) => {
            shader.vertexShader = shader.vertexShader.replace('#include <logdepthbuf_vertex>',
                'gl_PointSize = max(gl_PointSize, 3.0);\n#include <logdepthbuf_vertex>');
        };
        const cloud = new Points(geometry, material);
        cloud.frustumCulled = false;
        return cloud;
    }

    private side(): void {
        const side = byId('side');
        const box = el('input', { type: 'checkbox', id: 'divide', change: () => {
            this.divides = box.checked;
            address.set('divide', box.checked ? '1' : '');
            this.asOf = -1;
            this.show(this.player.at);
        } });
        box.checked = this.divides;
        const part = el('div');
        heading(part, 'Swarm');
        part.append(this.facts, el('label', { class: 'row', title: 'the open leaves around what is looked at, with all units set into the tree' },
            el('span', {}, el('i', { class: 'key', style: 'background:#e69f00' }), 'leaves that divide'), box));
        side.prepend(part);
    }

    // Between two moments units are on a straight line.
    private show(seconds: number): void {
        const tick = seconds * this.head.ticks;
        let index = 0;
        while (index + 1 < this.moments.length && this.moments[index + 1]!.tick <= tick) {
            index++;
        }
        const a = this.moments[index];
        if (!a) {
            return;
        }
        const b = this.moments[Math.min(index + 1, this.moments.length - 1)]!;
        const share = b.tick > a.tick ? Math.min(1, (tick - a.tick) / (b.tick - a.tick)) : 0;
        const { scale } = this.head;
        for (let i = 0; i < this.places.length; i++) {
            this.places[i] = (a.at[i]! + share * (b.at[i]! - a.at[i]!)) / scale;
        }
        this.cloud.geometry.attributes['position']!.needsUpdate = true;
        this.facts.textContent = `${short(this.head.units)} units, ${short(a.moving)} on their way` +
            (this.divides && this.leafCount > 0 ? `; ${short(this.leafCount)} open leaves around here, ${short(this.smallest)} of one cell` : '');
        this.stage.draw();
        void this.divide(seconds);
    }

    // One question at a time; the newest moment counts.
    private async divide(seconds: number): Promise<void> {
        if (!this.divides) {
            this.drawLeaves(new Int32Array(0));
            return;
        }
        if (this.asked || seconds === this.asOf) {
            return;
        }
        this.asked = true;
        this.asOf = seconds;
        const { facts } = this.map;
        const edge = facts.dims === 2 ? 64 : 32;
        const target = this.stage.controls.target;
        const low = target.toArray().map((c, i) => Math.floor(
            Math.min(Math.max(c - edge / 2, 0), Math.max(this.map.span.getComponent(i) - edge, 0)) / 8) * 8);
        const units: number[] = [];
        for (let i = 0; i < this.places.length && units.length < 3 * UNITS_MAX; i += 3) {
            const inside = low.every((c, k) => facts.dims === 2 && k === 2 ||
                (this.places[i + k]! > c - 1 && this.places[i + k]! < c + edge + 1));
            if (inside) {
                units.push(...[0, 1, 2].map((k) => +(this.places[i + k]! + facts.min[k]!).toFixed(2)));
            }
        }
        try {
            const answer = await this.link.ask<Binary>('divided', { item: this.map.item, at: low.map((c, i) => c + facts.min[i]!),
                edge, units, radius: this.head.radius / this.head.cell });
            this.drawLeaves(new Int32Array(answer.bytes.slice().buffer));
        } catch (error) {
            toast((error as Error).message);
        }
        this.asked = false;
        if (this.player.at !== seconds) {
            void this.divide(this.player.at);
        }
    }

    // The edges of leaves; of large ones only those that units have divided are drawn.
    private drawLeaves(words: Int32Array): void {
        const { facts } = this.map;
        const count = words.length / 4;
        if (count === 0 && this.leafCount === 0) {
            return;
        }
        this.leafCount = count;
        this.smallest = 0;
        const places: number[] = [];
        for (let i = 0; i < count; i++) {
            const [x, y, z] = [0, 1, 2].map((k) => words[4 * i + k]! - facts.min[k]!) as [number, number, number];
            const e = words[4 * i + 3]!;
            this.smallest += e === 1 ? 1 : 0;
            const h = facts.dims === 2 ? 0 : e, flat = facts.dims === 2 ? 1.02 : z;
            edges(places, [x, y, flat], e, h);
        }
        this.leaves.geometry.dispose();
        this.leaves.geometry = new BufferGeometry();
        this.leaves.geometry.setAttribute('position', new BufferAttribute(new Float32Array(places), 3));
        this.stage.draw();
    }

    key(event: KeyboardEvent): boolean {
        return this.player.key(event) || this.map.key(event);
    }

    state(): Record<string, unknown> {
        return { units: this.head.units, at: this.player.at, playing: this.player.isPlaying, moments: this.moments.length,
            leaves: this.leafCount, smallest: this.smallest, first: [...this.places.slice(0, 3)] };
    }
}

// A box from its smallest corner: three edges at each of the four corners that do not repeat.
function edges(out: number[], [x, y, z]: [number, number, number], e: number, h: number): void {
    const X = x + e, Y = y + e, Z = z + h;
    out.push(x, y, z, X, y, z, x, y, z, x, Y, z, X, Y, z, X, y, z, X, Y, z, x, Y, z);
    if (h > 0) {
        out.push(x, y, Z, X, y, Z, x, y, Z, x, Y, Z, X, Y, Z, X, y, Z, X, Y, Z, x, Y, Z,
            x, y, z, x, y, Z, X, y, z, X, y, Z, x, Y, z, x, Y, Z, X, Y, z, X, Y, Z);
    }
}

function disc(): CanvasTexture {
    const canvas = document.createElement('canvas');
    canvas.width = canvas.height = 32;
    const context = canvas.getContext('2d')!;
    context.fillStyle = '#fff';
    context.beginPath();
    context.arc(16, 16, 15.5, 0, 2 * Math.PI);
    context.fill();
    return new CanvasTexture(canvas);
}
