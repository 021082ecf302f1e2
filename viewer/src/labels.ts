// SPDX-License-Identifier: MIT
// Names beside what they belong to. Of those that would lie on each other the nearest are written.
import { Vector3 } from 'three';
import type { Stage } from './stage';
import { byId, el } from './ui';

export interface Name {
    words: string;
    at: Vector3; // in the world that is drawn
}

const MOST = 60;
const HEIGHT = 18; // pixels
const CHARACTER = 7;

export class Labels {
    private names: Name[] = [];
    private readonly spans: HTMLElement[] = [];

    constructor(private readonly stage: Stage) {
        stage.onFrame.push(() => { this.place(); return false; });
    }

    set(names: Name[]): void {
        this.names = names;
        while (this.spans.length < Math.min(names.length, MOST)) {
            const span = el('span');
            this.spans.push(span);
            byId('labels').append(span);
        }
        this.stage.draw();
    }

    private place(): void {
        const { camera, renderer } = this.stage;
        const w = renderer.domElement.clientWidth, h = renderer.domElement.clientHeight;
        const seen = this.names.map((name) => ({ name, p: name.at.clone().project(camera) }))
            .filter(({ p }) => p.z < 1 && Math.abs(p.x) < 1 && Math.abs(p.y) < 1)
            .sort((a, b) => a.p.z - b.p.z);
        const taken: number[][] = [];
        let used = 0;
        for (const { name, p } of seen) {
            const x = ((p.x + 1) / 2) * w, y = ((1 - p.y) / 2) * h, half = (name.words.length * CHARACTER) / 2 + 6;
            const isFree = taken.every(([a, b, c]) => Math.abs(x - a!) > half + c! || Math.abs(y - b!) > HEIGHT);
            if (!isFree || used >= this.spans.length) {
                continue;
            }
            taken.push([x, y, half]);
            const span = this.spans[used++]!;
            span.textContent = name.words;
            span.style.cssText = `left:${x.toFixed(0)}px;top:${y.toFixed(0)}px`;
        }
        this.spans.slice(used).forEach((span) => (span.style.display = 'none'));
    }
}
